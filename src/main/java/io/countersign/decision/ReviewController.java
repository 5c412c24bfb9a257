package io.countersign.decision;

import io.countersign.decision.ReviewStore.Backend;
import io.countersign.decision.ReviewStore.Row;
import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.Ids;
import io.countersign.kernel.PathId;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Role;
import io.countersign.kernel.Sha256;
import io.countersign.kernel.StoredAnswer;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;

/** Sealed bundles, and reviews over them. */
@RestController
class ReviewController {
    private final Reviews reviews;
    private final DecisionStore decisions;
    private final IdempotencyKeys idempotency;
    private final Ids ids;
    private final InstantSource clock;

    ReviewController(
            Reviews reviews,
            DecisionStore decisions,
            IdempotencyKeys idempotency,
            Ids ids,
            InstantSource clock) {
        this.reviews = reviews;
        this.decisions = decisions;
        this.idempotency = idempotency;
        this.ids = ids;
        this.clock = clock;
    }

    record BundleRequest(@Nullable JsonNode artifact, @Nullable JsonNode evidence) {}

    /**
     * A review as callers see it.
     *
     * @param bundle what the judge sees, and all of it
     * @param status {@code open}, {@code answered} (a verdict is there), {@code decided}
     */
    record ReviewView(
            UUID id,
            String project,
            String status,
            Backend backend,
            @Nullable String judge,
            String drafterId,
            JsonNode bundle,
            Sha256 bundleSha256,
            Sha256 changeSetSha256,
            @Nullable JsonNode verdict,
            @Nullable JsonNode grading,
            @Nullable DecisionView decision,
            String createdBy,
            Instant createdAt) {}

    /** Stores nothing: the same bundle can be sealed again by anybody. */
    @PostMapping("/v1/bundles/seal")
    @AnyCaller
    ObjectNode seal(@RequestBody BundleRequest request) {
        return BundleSealer.seal(request.artifact(), request.evidence());
    }

    @PostMapping("/v1/reviews")
    @RolesAllowed({"requester", "attestor"})
    ResponseEntity<ReviewView> open(
            Caller caller, IdempotentRequest once, @RequestBody ReviewRequest request)
            throws InterruptedException {
        Row review = request.read(caller, ids.next(), clock.instant());
        StoredAnswer opened =
                idempotency.once(
                        once,
                        () -> {
                            reviews.open(caller, review);
                            return ResponseEntity.created(location(review.id())).build();
                        });
        String location = Objects.requireNonNull(opened.headers().get("Location"));
        UUID id = UUID.fromString(location.substring(location.lastIndexOf('/') + 1));
        reviews.decide(reviews.row(caller, id));
        return ResponseEntity.status(HttpStatus.CREATED)
                .location(location(id))
                .body(view(reviews.row(caller, id)));
    }

    /** Readers, and the judge that the review names. */
    @GetMapping("/v1/reviews/{id}")
    @RolesAllowed({"reader", "judge", "requester", "attestor"})
    ReviewView get(Caller caller, @PathVariable String id) {
        Row review = reviews.row(caller, PathId.parse("review", id));
        boolean reads =
                caller.has(Role.READER)
                        || caller.id().equals(review.judge())
                        || caller.id().equals(review.createdBy());
        if (!reads) {
            throw ProblemException.notFound("there is no review " + id);
        }
        return view(review);
    }

    @PostMapping("/v1/reviews/{id}/verdict")
    @RolesAllowed("judge")
    ResponseEntity<ReviewView> verdict(
            Caller caller,
            IdempotentRequest once,
            @PathVariable String id,
            @RequestBody JsonNode verdict) {
        UUID review = PathId.parse("review", id);
        return idempotency
                .once(once, () -> ResponseEntity.ok(view(reviews.answer(caller, review, verdict))))
                .toResponse();
    }

    private ReviewView view(Row row) {
        String status =
                row.decisionId() != null ? "decided" : row.verdict() != null ? "answered" : "open";
        return new ReviewView(
                row.id(),
                row.project().value(),
                status,
                row.backend(),
                row.judge(),
                row.drafterId(),
                row.bundle(),
                row.bundleSha256(),
                row.changeSet().sha256(),
                row.verdict(),
                row.grading(),
                row.decisionId() == null ? null : decisions.find(row.decisionId()).orElse(null),
                row.createdBy(),
                row.createdAt());
    }

    private static URI location(UUID id) {
        return URI.create("/v1/reviews/" + id);
    }
}
