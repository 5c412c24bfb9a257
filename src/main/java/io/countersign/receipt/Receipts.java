package io.countersign.receipt;

import io.countersign.artefact.WorkspacePath;
import io.countersign.attestation.AttestationRef;
import io.countersign.attestation.Signer;
import io.countersign.attestation.Summary;
import io.countersign.audit.AuditLog;
import io.countersign.kernel.Caller;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Issues receipts, and lets each be consumed once. */
@Service
public class Receipts {
    private static final Logger log = LoggerFactory.getLogger(Receipts.class);

    /** Whoever consumes or rolls back at the same moment can make an attempt see neither. */
    private static final int ATTEMPTS = 3;

    private static final int NONCE_BYTES = 32;

    private final ReceiptStore store;
    private final Signer signer;
    private final AuditLog audit;
    private final ReceiptMetrics metrics;
    private final Ids ids;
    private final SecureRandom random;
    private final InstantSource clock;
    private final JsonMapper json;

    Receipts(
            ReceiptStore store,
            Signer signer,
            AuditLog audit,
            ReceiptMetrics metrics,
            Ids ids,
            SecureRandom random,
            InstantSource clock,
            JsonMapper json) {
        this.store = store;
        this.signer = signer;
        this.audit = audit;
        this.metrics = metrics;
        this.ids = ids;
        this.random = random;
        this.clock = clock;
        this.json = json;
    }

    /** Issues a receipt. Needs the transaction that stores the verdict it is for. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Receipt issue(Issue issue) {
        UUID id = ids.next();
        Instant now = clock.instant();
        Instant expires = now.plus(issue.window());
        byte[] nonceBytes = new byte[NONCE_BYTES];
        random.nextBytes(nonceBytes);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(nonceBytes);
        byte[] document = CanonicalJson.bytes(document(issue, id, nonce, now, expires));
        Signer.Signed signed = signer.sign(Receipt.PAYLOAD_TYPE, document);
        boolean verification = issue.origin() instanceof Summary.Origin.Verification;
        AttestationRef attestation = issue.attestation();
        ReceiptRow row =
                new ReceiptRow(
                        id,
                        issue.project(),
                        verification ? issue.originId() : null,
                        verification ? null : issue.originId(),
                        attestation == null ? null : attestation.id(),
                        nonce,
                        issue.changeSetSha256(),
                        issue.treeSha256(),
                        issue.dodSha256(),
                        issue.assurance(),
                        issue.minAssurance(),
                        now,
                        expires,
                        new String(document, StandardCharsets.UTF_8),
                        signed.keyId(),
                        signed.signature(),
                        files(issue.files()),
                        null);
        store.insert(row);
        metrics.issued(issue.origin());
        return receipt(row);
    }

    private static ObjectNode document(
            Issue issue, UUID id, String nonce, Instant now, Instant expires) {
        boolean verification = issue.origin() instanceof Summary.Origin.Verification;
        String origin = issue.originId().toString();
        AttestationRef attestation = issue.attestation();
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("schema", Receipt.SCHEMA);
        document.put("id", id.toString());
        document.put("nonce", nonce);
        document.put("project", issue.project().value());
        document.put("verificationId", verification ? origin : null);
        document.put("decisionId", verification ? null : origin);
        document.put("changeSetSha256", issue.changeSetSha256().hex());
        document.put("treeSha256", hex(issue.treeSha256()));
        document.put("dodSha256", hex(issue.dodSha256()));
        document.put("verdictSha256", issue.verdictSha256().hex());
        document.put("assurance", issue.assurance().wire());
        document.put("overridden", issue.overridden());
        document.put("gateExit", 0);
        document.put("issuedAt", now.toString());
        document.put("expiresAt", expires.toString());
        document.put("attestationRef", attestation == null ? null : attestation.id().toString());
        return document;
    }

    private static @Nullable String hex(@Nullable Sha256 sha256) {
        return sha256 == null ? null : sha256.hex();
    }

    private String files(NavigableMap<WorkspacePath, Optional<Sha256>> files) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        files.forEach(
                (path, content) -> node.put(path.value(), content.map(Sha256::hex).orElse(null)));
        return json.writeValueAsString(node);
    }

    /** The signed document of a stored receipt. */
    Receipt receipt(ReceiptRow row) {
        ObjectNode document = (ObjectNode) json.readTree(row.document());
        document.putObject("signature")
                .put("keyid", row.keyId())
                .put("sig", Base64.getEncoder().encodeToString(row.signature()));
        return json.treeToValue(document, Receipt.class);
    }

    /** The receipt within the caller's reach: one that is out of it does not exist. */
    ReceiptRow row(Caller caller, UUID id) {
        return store.find(id)
                .filter(row -> caller.reaches(row.project()))
                .orElseThrow(
                        () ->
                                ProblemException.notFound("there is no receipt " + id)
                                        .with("exitCode", Refusals.EXIT_CODE));
    }

    /**
     * Whether the receipt could be consumed now. It stays unspent.
     *
     * @throws ProblemException as {@link #consume}
     */
    public Receipt validate(Caller caller, UUID id, Demand demand) {
        ReceiptRow row = row(caller, id);
        Refusals.first(row, demand, clock.instant())
                .ifPresent(
                        refusal -> {
                            throw refusal;
                        });
        return receipt(row);
    }

    /**
     * Spends the receipt, once. A refused attempt does not spend it.
     *
     * @param purpose what it is spent for, one line
     * @throws ProblemException 404, 409, 410, 412 or 403 with its facts and {@code exitCode} 6
     */
    @Transactional
    public Consumed consume(Caller caller, UUID id, Demand demand, @Nullable String purpose) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Instant now = clock.instant();
            Optional<ReceiptRow> spent =
                    store.consume(
                            id, caller, demand, purpose, now, now.plus(Refusals.CLOCK_DIFFERENCE));
            if (spent.isPresent()) {
                return consumed(caller, spent.get());
            }
            Optional<ProblemException> refusal = Refusals.first(row(caller, id), demand, now);
            if (refusal.isPresent()) {
                ProblemCode reason = refusal.get().code();
                metrics.refused(reason);
                log.warn("receipt {} refused to {}: {}", id, caller.id(), reason.code());
                throw refusal.get();
            }
        }
        throw new IllegalStateException("receipt " + id + " is neither consumable nor refused");
    }

    private Consumed consumed(Caller caller, ReceiptRow row) {
        ReceiptRow.Consumption consumption =
                Objects.requireNonNull(row.consumed(), "it was just consumed");
        String purpose = consumption.purpose() == null ? "" : consumption.purpose();
        audit.record(
                caller,
                row.project(),
                "receipt.consumed",
                row.id().toString(),
                Map.of("changeSetSha256", row.changeSet().hex(), "purpose", purpose));
        metrics.consumed();
        return new Consumed(
                receipt(row), consumption.at(), consumption.by(), consumption.purpose());
    }

    /** A receipt that was just spent. */
    public record Consumed(
            Receipt receipt, Instant consumedAt, String consumedBy, @Nullable String purpose) {}
}
