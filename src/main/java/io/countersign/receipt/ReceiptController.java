package io.countersign.receipt;

import io.countersign.artefact.ChangeSetHash;
import io.countersign.artefact.FileDigest;
import io.countersign.artefact.WorkspacePath;
import io.countersign.gate.Assurance;
import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.PathId;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;
import io.countersign.scrub.Clean;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.UUID;

/** Receipts: read, validate, consume once. */
@RestController
@RequestMapping("/v1/receipts/{id}")
class ReceiptController {
    private static final int PURPOSE_CHARS = 500;

    private final Receipts receipts;
    private final IdempotencyKeys idempotency;

    ReceiptController(Receipts receipts, IdempotencyKeys idempotency) {
        this.receipts = receipts;
        this.idempotency = idempotency;
    }

    /** A change-set by its hash, or by the files from which the service computes it. */
    record ChangeSetBody(@Nullable String sha256, @Nullable List<FileDigest> files) {}

    /** What the consumer demands. */
    record ConsumeRequest(
            ChangeSetBody changeSet,
            @Nullable String treeSha256,
            @Nullable Assurance minAssurance,
            @Nullable String requiredDodSha256,
            @Nullable Instant newestMtime,
            @Nullable String purpose) {
        Demand demand() {
            List<FileDigest> sent = changeSet.files();
            if ((sent == null) == (changeSet.sha256() == null)) {
                throw ProblemException.invalid("/changeSet", "needs either sha256 or files");
            }
            NavigableMap<WorkspacePath, Optional<Sha256>> files =
                    sent == null ? null : ChangeSetHash.read("/changeSet/files", sent);
            return new Demand(
                    files == null
                            ? Sha256.parse("/changeSet/sha256", changeSet.sha256() + "")
                            : ChangeSetHash.of(files),
                    files,
                    digest("/treeSha256", treeSha256),
                    digest("/requiredDodSha256", requiredDodSha256),
                    minAssurance,
                    newestMtime);
        }

        private static @Nullable Sha256 digest(String pointer, @Nullable String hex) {
            return hex == null ? null : Sha256.parse(pointer, hex);
        }
    }

    /** The answer of a successful validation or consumption. */
    record Outcome(
            int exitCode,
            boolean valid,
            Receipt receipt,
            @Nullable Instant consumedAt,
            @Nullable String consumedBy,
            @Nullable String purpose) {}

    @GetMapping
    @RolesAllowed({"reader", "consumer"})
    ReceiptView get(Caller caller, @PathVariable String id) {
        ReceiptRow row = receipts.row(caller, parse(id));
        return ReceiptView.of(receipts.receipt(row), row);
    }

    /** Answers as consume does, and spends nothing. */
    @PostMapping("/validate")
    @RolesAllowed("consumer")
    Outcome validate(Caller caller, @PathVariable String id, @RequestBody ConsumeRequest request) {
        Receipt receipt = receipts.validate(caller, parse(id), request.demand());
        return new Outcome(0, true, receipt, null, null, null);
    }

    @PostMapping("/consume")
    @RolesAllowed("consumer")
    ResponseEntity<Outcome> consume(
            Caller caller,
            IdempotentRequest once,
            @PathVariable String id,
            @RequestBody ConsumeRequest request) {
        UUID receipt = parse(id);
        Demand demand = request.demand();
        String purpose =
                request.purpose() == null ? null : Clean.line(request.purpose(), PURPOSE_CHARS);
        return idempotency
                .once(
                        once,
                        () -> {
                            Receipts.Consumed spent =
                                    receipts.consume(caller, receipt, demand, purpose);
                            return ResponseEntity.ok(
                                    new Outcome(
                                            0,
                                            true,
                                            spent.receipt(),
                                            spent.consumedAt(),
                                            spent.consumedBy(),
                                            spent.purpose()));
                        })
                .toResponse();
    }

    private static UUID parse(String id) {
        try {
            return PathId.parse("receipt", id);
        } catch (ProblemException unknown) {
            throw unknown.with("exitCode", Refusals.EXIT_CODE);
        }
    }
}
