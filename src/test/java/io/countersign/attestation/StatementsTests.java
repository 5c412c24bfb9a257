package io.countersign.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangeSetHash;
import io.countersign.artefact.ChangedFile;
import io.countersign.gate.Assurance;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.verification.VerificationId;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

class StatementsTests {
    private static final Sha256 CONTENT = Sha256.of("content");
    private static final List<ChangedFile> FILES =
            List.of(
                    new ChangedFile("src/a.js", ChangedFile.Status.MODIFIED, null, CONTENT),
                    new ChangedFile("src/b.js", ChangedFile.Status.DELETED, null, null));
    private static final Sha256 CHANGE_SET = ChangeSetHash.of(FILES);
    private static final UUID ID = UUID.fromString("01980000-0000-7000-8000-000000000001");

    @Test
    void aSummarySaysWhatWasVerifiedByWhomAgainstWhat() {
        ObjectNode statement = Statements.verificationSummary(summary(true), "urn:x:verifier");

        assertThat(new String(CanonicalJson.bytes(statement), StandardCharsets.UTF_8))
                .isEqualTo(
                        ("""
                        {"_type":"https://in-toto.io/Statement/v1","predicate":{\
                        "countersign_assurance":"independent",\
                        "countersign_treeSha256":"%s",\
                        "countersign_verification":"%s",\
                        "policy":{"digest":{"sha256":"%s"},"uri":"urn:countersign:dod"},\
                        "resourceUri":"acme/shop","timeVerified":"2026-07-31T12:00:00Z",\
                        "verificationResult":"PASSED",\
                        "verifiedLevels":["COUNTERSIGN_INDEPENDENT"],\
                        "verifier":{"id":"urn:x:verifier"}},\
                        "predicateType":"https://slsa.dev/verification_summary/v1","subject":[\
                        {"digest":{"sha256":"%s"},"name":"change-set"},\
                        {"digest":{"sha256":"%s"},"name":"src/a.js"}]}""")
                                .formatted(
                                        Sha256.of("tree"),
                                        ID,
                                        Sha256.of("dod"),
                                        CHANGE_SET,
                                        CONTENT));
    }

    @Test
    void aFailedSummaryReachedNoLevel() {
        ObjectNode statement = Statements.verificationSummary(summary(false), "urn:x:verifier");

        assertThat(statement.at("/predicate/verificationResult").asString()).isEqualTo("FAILED");
        assertThat(statement.at("/predicate/verifiedLevels/0").asString()).isEqualTo("FAILED");
        assertThat(statement.at("/predicate/countersign_assurance").asString())
                .isEqualTo("independent");
    }

    @Test
    void aTestResultSaysWhichRunsPassed() {
        ObjectNode statement = Statements.testResult(summary(false));

        assertThat(statement.path("predicateType").asString()).isEqualTo(Statements.TEST_RESULT);
        assertThat(statement.at("/predicate/result").asString()).isEqualTo("FAILED");
        assertThat(statement.at("/predicate/passedTests").toString())
                .isEqualTo("[\"0 testsPass\"]");
        assertThat(statement.at("/predicate/failedTests").toString())
                .isEqualTo("[\"1 testsPass\"]");
        assertThat(statement.at("/predicate/configuration/0/digest/sha256").asString())
                .isEqualTo(Sha256.of("dod").hex());
        assertThat(statement.at("/predicate/countersign_counts/1/failed").asInt()).isEqualTo(2);
    }

    @Test
    void isFoundByTheChangeSetAndEveryFileThatExists() {
        assertThat(Statements.subjects(summary(true))).containsExactly(CHANGE_SET, CONTENT);
    }

    private static Summary summary(boolean passed) {
        return new Summary(
                new ProjectId("acme/shop"),
                new Summary.Origin.Verification(new VerificationId(ID)),
                new Summary.Policy("urn:countersign:dod", Sha256.of("dod")),
                new ChangeSet.Known(FILES, CHANGE_SET),
                Sha256.of("tree"),
                Assurance.INDEPENDENT,
                passed,
                false,
                List.of(
                        new Summary.TestRun("0 testsPass", true, 4, 0, 0),
                        new Summary.TestRun("1 testsPass", false, 9, 2, 1)),
                Instant.parse("2026-07-31T12:00:00Z"));
    }
}
