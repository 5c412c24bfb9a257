package io.countersign.delegation;

import io.countersign.delegation.DelegationStore.AttemptRow;
import io.countersign.delegation.DelegationStore.DelegationRow;
import io.countersign.kernel.Caller;
import io.countersign.kernel.Cursor;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.Page;
import io.countersign.kernel.PathId;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.StoredAnswer;
import io.countersign.verification.Verifications;
import io.countersign.verification.Waiting;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The authoritative loop over HTTP. */
@RestController
@RequestMapping("/v1/delegations")
@Tag(name = "Delegations")
class DelegationController {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;

    private final Delegations delegations;
    private final DelegationStore store;
    private final DelegationViews views;
    private final Verifications verifications;
    private final IdempotencyKeys keys;

    DelegationController(
            Delegations delegations,
            DelegationStore store,
            DelegationViews views,
            Verifications verifications,
            IdempotencyKeys keys) {
        this.delegations = delegations;
        this.store = store;
        this.views = views;
        this.verifications = verifications;
        this.keys = keys;
    }

    @PostMapping
    @RolesAllowed("requester")
    @Operation(summary = "Open a delegation")
    ResponseEntity<String> open(
            Caller caller, IdempotentRequest idempotent, @RequestBody DelegationRequest request) {
        return keys.once(
                        idempotent,
                        () -> {
                            DelegationRow row = delegations.open(caller, request);
                            return ResponseEntity.created(URI.create("/v1/delegations/" + row.id()))
                                    .body(views.head(row));
                        })
                .toResponse();
    }

    @PostMapping("/{id}/attempts")
    @RolesAllowed("submitter")
    @Operation(summary = "Submit an attempt, and learn what follows from its verdict")
    ResponseEntity<Map<String, @Nullable Object>> attempt(
            Caller caller,
            IdempotentRequest idempotent,
            @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
            @PathVariable String id,
            @RequestBody AttemptRequest request)
            throws InterruptedException {
        UUID delegation = PathId.parse("delegation", id);
        StoredAnswer first =
                keys.once(
                        idempotent,
                        () -> {
                            AttemptRow attempt = delegations.attempt(caller, delegation, request);
                            return ResponseEntity.accepted()
                                    .location(
                                            URI.create(
                                                    "/v1/delegations/"
                                                            + delegation
                                                            + "/attempts/"
                                                            + attempt.number()))
                                    .build();
                        });
        String location = Objects.requireNonNull(first.headers().get(HttpHeaders.LOCATION));
        int number = Integer.parseInt(location.substring(location.lastIndexOf('/') + 1));
        boolean finished = await(delegation, number, Waiting.preferred(prefer));
        ResponseEntity.BodyBuilder response =
                ResponseEntity.status(finished ? HttpStatus.OK : HttpStatus.ACCEPTED);
        response.header(HttpHeaders.LOCATION, location);
        if (first.repeated()) response.header("Idempotency-Replayed", "true");
        return response.body(views.attempt(delegations.find(caller, delegation), number));
    }

    private boolean await(UUID delegation, int number, Duration patience)
            throws InterruptedException {
        if (patience.isZero()) return false;
        AttemptRow attempt = store.attempts(delegation).get(number - 1);
        return verifications.await(attempt.verification(), patience);
    }

    @GetMapping("/{id}/attempts/{number}")
    @RolesAllowed({"reader", "submitter"})
    @Operation(summary = "Read one attempt and what follows from it")
    Map<String, @Nullable Object> attempt(
            Caller caller,
            @PathVariable String id,
            @PathVariable int number,
            @RequestParam(required = false) @Nullable Integer wait)
            throws InterruptedException {
        DelegationRow row = delegations.find(caller, PathId.parse("delegation", id));
        if (number < 1 || number > store.attempts(row.id()).size()) {
            throw ProblemException.notFound("delegation " + id + " has no attempt " + number);
        }
        await(row.id(), number, Waiting.parameter(wait));
        return views.attempt(delegations.find(caller, row.id()), number);
    }

    @GetMapping("/{id}")
    @RolesAllowed({"reader", "submitter"})
    @Operation(summary = "Read a delegation with its attempts")
    Map<String, @Nullable Object> read(Caller caller, @PathVariable String id) {
        return views.whole(delegations.find(caller, PathId.parse("delegation", id)));
    }

    @PostMapping("/{id}/abandon")
    @RolesAllowed("requester")
    @Operation(summary = "End a delegation by hand")
    ResponseEntity<Map<String, @Nullable Object>> abandon(
            Caller caller, IdempotentRequest idempotent, @PathVariable String id) {
        UUID delegation = PathId.parse("delegation", id);
        return keys.once(
                        idempotent,
                        () -> {
                            delegations.abandon(caller, delegation);
                            return ResponseEntity.ok(
                                    views.whole(delegations.find(caller, delegation)));
                        })
                .toResponse();
    }

    @GetMapping
    @RolesAllowed("reader")
    @Operation(summary = "List delegations, newest first")
    Page<Map<String, @Nullable Object>> page(
            Caller caller,
            @RequestParam(required = false) @Nullable String project,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        int size = limit == null ? DEFAULT_LIMIT : limit;
        if (size < 1 || size > MAX_LIMIT) {
            throw ProblemException.invalid("?limit", "is a number from 1 to " + MAX_LIMIT);
        }
        boolean all = project == null && caller.projects().contains("*");
        UUID before = cursor == null ? new UUID(-1L, -1L) : Cursor.parse(cursor).id();
        List<DelegationRow> rows = store.page(projects(caller, project), all, before, size + 1);
        List<DelegationRow> shown = rows.size() > size ? rows.subList(0, size) : rows;
        String next =
                rows.size() > size
                        ? new Cursor(shown.getLast().openedAt(), shown.getLast().id()).encode()
                        : null;
        return new Page<>(shown.stream().map(views::head).toList(), next);
    }

    private static String[] projects(Caller caller, @Nullable String project) {
        if (project == null) return caller.projects().toArray(String[]::new);
        ProjectId id = ProjectId.parse("?project", project);
        caller.demand(id);
        return new String[] {id.value()};
    }
}
