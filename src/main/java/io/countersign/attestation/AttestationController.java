package io.countersign.attestation;

import io.countersign.attestation.AttestationStore.Row;
import io.countersign.attestation.AttestationStore.Seek;
import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.Caller;
import io.countersign.kernel.Cursor;
import io.countersign.kernel.Page;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.verification.VerificationId;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Attestations by verification and by digest. A project may show its own to everybody. */
@RestController
@AnyCaller(orNobody = true)
class AttestationController {
    static final int MAX_DIGESTS = 500;
    static final int PAGE = 1_000;

    private final AttestationStore store;
    private final AttestationAccess access;

    AttestationController(AttestationStore store, AttestationAccess access) {
        this.store = store;
        this.access = access;
    }

    /** The DSSE envelope as it is, for tools that verify it offline. */
    @GetMapping("/v1/verifications/{id}/attestation")
    Dsse.Envelope get(
            @Nullable Caller caller,
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String predicateType) {
        String type = predicateType == null ? Statements.VERIFICATION_SUMMARY : predicateType;
        return store.find(VerificationId.parse(id), type)
                .filter(row -> access.mayRead(caller, row.project()))
                .map(Row::envelope)
                .orElseThrow(() -> absent(caller, id, type));
    }

    private static ProblemException absent(@Nullable Caller caller, String id, String type) {
        return caller == null
                ? new ProblemException(
                        ProblemCode.UNAUTHENTICATED, "this attestation is not public")
                : ProblemException.notFound(
                        "there is no attestation of type " + type + " for verification " + id);
    }

    /**
     * @param digests up to 500, each {@code sha256:<hex>}
     * @param project only of this project; null for all that the caller may read
     * @param cursor of the page before; null for the first
     */
    record QueryRequest(List<String> digests, @Nullable String project, @Nullable String cursor) {}

    /** One attestation with its envelope. */
    record View(
            UUID id,
            String project,
            @Nullable UUID verificationId,
            @Nullable UUID decisionId,
            String predicateType,
            String result,
            String changeSetSha256,
            String statementSha256,
            Instant createdAt,
            Dsse.Envelope envelope) {
        static View of(Row row) {
            return new View(
                    row.id(),
                    row.project().value(),
                    row.verificationId(),
                    row.decisionId(),
                    row.predicateType(),
                    row.result(),
                    row.changeSet().hex(),
                    row.statement().hex(),
                    row.createdAt(),
                    row.envelope());
        }
    }

    /** Every attestation of any of the digests, newest first, a thousand at a time. */
    @PostMapping("/v1/attestations/query")
    Page<View> query(@Nullable Caller caller, @RequestBody QueryRequest request) {
        Set<Sha256> digests = digests(request.digests());
        Seek after =
                new Seek(request.cursor() == null ? null : Cursor.parse(request.cursor()).id());
        ProjectId only =
                request.project() == null ? null : ProjectId.parse("/project", request.project());
        List<ProjectId> readable =
                store.projectsOf(digests).stream()
                        .filter(project -> only == null || only.equals(project))
                        .filter(project -> access.mayRead(caller, project))
                        .toList();
        List<Row> found = store.query(digests, readable, after, PAGE + 1);
        return Page.of(found, PAGE, row -> new Cursor(row.createdAt(), row.id())).map(View::of);
    }

    private static Set<Sha256> digests(List<String> raw) {
        if (raw.isEmpty() || raw.size() > MAX_DIGESTS) {
            throw ProblemException.invalid("/digests", "name 1 to " + MAX_DIGESTS + " digests");
        }
        Set<Sha256> digests = new LinkedHashSet<>();
        for (int i = 0; i < raw.size(); i++) {
            String digest = raw.get(i);
            String hex = digest.startsWith("sha256:") ? digest.substring(7) : digest;
            digests.add(Sha256.parse("/digests/" + i, hex));
        }
        return digests;
    }
}
