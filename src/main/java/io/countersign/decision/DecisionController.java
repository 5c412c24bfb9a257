package io.countersign.decision;

import io.countersign.kernel.Caller;
import io.countersign.kernel.Cursor;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.Page;
import io.countersign.kernel.PathId;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Verdicts of external judges, decided. */
@RestController
@RequestMapping("/v1/decisions")
class DecisionController {
    private final Decisions decisions;
    private final DecisionStore store;
    private final Reviews reviews;
    private final IdempotencyKeys idempotency;

    DecisionController(
            Decisions decisions,
            DecisionStore store,
            Reviews reviews,
            IdempotencyKeys idempotency) {
        this.decisions = decisions;
        this.store = store;
        this.reviews = reviews;
        this.idempotency = idempotency;
    }

    /** 200 whatever the exit code. An override needs the role admin besides. */
    @PostMapping
    @RolesAllowed("attestor")
    ResponseEntity<DecisionView> decide(
            Caller caller, IdempotentRequest once, @RequestBody DecisionRequest request) {
        Optional<ReviewStore.Row> review =
                Optional.ofNullable(request.reviewId()).map(id -> review(caller, id));
        Decisions.Decided decided = decisions.decide(request.read(caller, review));
        return idempotency
                .once(once, () -> ResponseEntity.ok(decisions.store(decided)))
                .toResponse();
    }

    private ReviewStore.Row review(Caller caller, String id) {
        try {
            return reviews.row(caller, UUID.fromString(id));
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid("/reviewId", "is no id");
        }
    }

    @GetMapping("/{id}")
    @RolesAllowed("reader")
    DecisionView get(Caller caller, @PathVariable String id) {
        return Optional.of(PathId.parse("decision", id))
                .flatMap(store::find)
                .filter(view -> caller.reaches(new ProjectId(view.project())))
                .orElseThrow(() -> ProblemException.notFound("there is no decision " + id));
    }

    /** The decisions of one project, newest first. */
    @GetMapping
    @RolesAllowed("reader")
    Page<DecisionView> list(
            Caller caller,
            @RequestParam String project,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        ProjectId id = ProjectId.parse("?project", project);
        caller.demand(id);
        int size = Page.limit(limit);
        Cursor after = cursor == null ? null : Cursor.parse(cursor);
        return Page.of(
                store.page(List.of(id), after, size + 1),
                size,
                view -> new Cursor(view.createdAt(), view.id()));
    }
}
