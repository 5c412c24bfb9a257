package io.countersign.audit;

import io.countersign.kernel.Caller;
import io.countersign.kernel.Cursor;
import io.countersign.kernel.Page;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/** The audit, for administrators. */
@RestController
@RequestMapping("/v1/audit")
@RolesAllowed("admin")
class AuditController {
    private final AuditStore store;
    private final AuditVerifier verifier;

    AuditController(AuditStore store, AuditVerifier verifier) {
        this.store = store;
        this.verifier = verifier;
    }

    /** An event as callers see it; {@code batch} is null until it is sealed. */
    record EventView(
            UUID id,
            Instant at,
            String project,
            String principal,
            PrincipalKind principalKind,
            String action,
            String subject,
            String requestId,
            JsonNode detail,
            String sha256,
            @Nullable Long batch) {
        static EventView of(AuditStore.Row row) {
            AuditEvent event = row.event();
            return new EventView(
                    event.id(),
                    event.at(),
                    event.project(),
                    event.principal(),
                    event.principalKind(),
                    event.action(),
                    event.subject(),
                    event.requestId(),
                    event.detail(),
                    row.sha256().hex(),
                    row.batch());
        }
    }

    @GetMapping
    Page<EventView> list(
            Caller caller,
            @RequestParam(required = false) @Nullable String project,
            @RequestParam(required = false) @Nullable String principal,
            @RequestParam(required = false) @Nullable String action,
            @RequestParam(required = false) @Nullable String subject,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant to,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        demand(caller, project);
        int rows = Page.limit(limit);
        Cursor after = cursor == null ? null : Cursor.parse(cursor);
        AuditStore.Filter filter =
                new AuditStore.Filter(project, principal, action, subject, from, to);
        return Page.of(
                        store.list(filter, after, rows + 1),
                        rows,
                        row -> new Cursor(row.event().at(), row.event().id()))
                .map(EventView::of);
    }

    @GetMapping("/verify")
    AuditVerifier.Finding verify(
            Caller caller,
            @RequestParam(required = false) @Nullable String project,
            @RequestParam(required = false) @Nullable String head) {
        demand(caller, project);
        Sha256 noted = head == null ? null : Sha256.parse("?head", head);
        return verifier.verify(project, noted);
    }

    /** An administrator of some projects sees theirs; the whole takes one of all. */
    private static void demand(Caller caller, @Nullable String project) {
        if (project != null && !project.equals(ProjectId.SERVER.value())) {
            caller.demand(ProjectId.parse("?project", project));
        } else if (!caller.projects().contains("*")) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN,
                    "name one of your projects: " + caller.id() + " does not reach all");
        }
    }
}
