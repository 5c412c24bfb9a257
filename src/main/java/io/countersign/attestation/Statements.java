package io.countersign.attestation;

import io.countersign.artefact.ChangedFile;
import io.countersign.kernel.Sha256;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The in-toto statements (v1) about a verdict. Pure. */
final class Statements {
    static final String STATEMENT = "https://in-toto.io/Statement/v1";
    static final String VERIFICATION_SUMMARY = "https://slsa.dev/verification_summary/v1";
    static final String TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1";

    /** Members of ours within foreign predicates carry this prefix. */
    private static final String OURS = "countersign_";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Statements() {}

    /** The summary of the whole verdict. */
    static ObjectNode verificationSummary(Summary summary, String verifierId) {
        ObjectNode predicate = JSON.objectNode();
        predicate.putObject("verifier").put("id", verifierId);
        predicate.put("timeVerified", summary.at().toString());
        predicate.put("resourceUri", summary.project().value());
        ObjectNode policy = predicate.putObject("policy");
        policy.put("uri", summary.policy().uri());
        if (summary.policy().sha256() != null) {
            policy.set("digest", digest(summary.policy().sha256()));
        }
        predicate.put("verificationResult", summary.passed() ? "PASSED" : "FAILED");
        // By the predicate's definition a level is what was reached: a failed one reached none.
        predicate
                .putArray("verifiedLevels")
                .add(summary.passed() ? "COUNTERSIGN_" + level(summary) : "FAILED");
        predicate.put(OURS + "assurance", summary.assurance().wire());
        predicate.put(OURS + origin(summary.origin()), summary.origin().value().toString());
        if (summary.treeSha256() != null) {
            predicate.put(OURS + "treeSha256", summary.treeSha256().hex());
        }
        if (summary.overridden()) {
            predicate.put(OURS + "overridden", true);
        }
        return statement(summary, VERIFICATION_SUMMARY, predicate);
    }

    private static String level(Summary summary) {
        return summary.assurance().name().toUpperCase(Locale.ROOT);
    }

    private static String origin(Summary.Origin origin) {
        return switch (origin) {
            case Summary.Origin.Verification _ -> "verification";
            case Summary.Origin.Decision _ -> "decision";
        };
    }

    /** The result of the tests that ran. */
    static ObjectNode testResult(Summary summary) {
        List<Summary.TestRun> tests = summary.tests();
        ObjectNode predicate = JSON.objectNode();
        boolean passed = tests.stream().allMatch(Summary.TestRun::passed);
        predicate.put("result", passed ? "PASSED" : "FAILED");
        ObjectNode configuration = predicate.putArray("configuration").addObject();
        configuration.put("name", summary.policy().uri());
        if (summary.policy().sha256() != null) {
            configuration.set("digest", digest(summary.policy().sha256()));
        }
        addNames(predicate.putArray("passedTests"), tests.stream().filter(t -> t.passed()));
        addNames(predicate.putArray("failedTests"), tests.stream().filter(t -> !t.passed()));
        ArrayNode counts = predicate.putArray(OURS + "counts");
        for (Summary.TestRun test : tests) {
            counts.addObject()
                    .put("name", test.name())
                    .put("run", test.run())
                    .put("failed", test.failed())
                    .put("skipped", test.skipped());
        }
        return statement(summary, TEST_RESULT, predicate);
    }

    private static void addNames(ArrayNode array, Stream<Summary.TestRun> tests) {
        tests.map(Summary.TestRun::name).forEach(array::add);
    }

    private static ObjectNode statement(Summary summary, String type, ObjectNode predicate) {
        ObjectNode statement = JSON.objectNode();
        statement.put("_type", STATEMENT);
        statement.put("predicateType", type);
        statement.set("predicate", predicate);
        ArrayNode subjects = statement.putArray("subject");
        subjects.addObject()
                .put("name", "change-set")
                .set("digest", digest(summary.changeSet().sha256()));
        for (ChangedFile file : summary.changeSet().files()) {
            if (file.sha256() != null) {
                subjects.addObject().put("name", file.path()).set("digest", digest(file.sha256()));
            }
        }
        return statement;
    }

    /** The digests by which the statement is found. */
    static List<Sha256> subjects(Summary summary) {
        return Stream.concat(
                        Stream.of(summary.changeSet().sha256()),
                        summary.changeSet().files().stream()
                                .map(ChangedFile::sha256)
                                .filter(java.util.Objects::nonNull))
                .distinct()
                .toList();
    }

    private static ObjectNode digest(Sha256 sha256) {
        return JSON.objectNode().put("sha256", sha256.hex());
    }
}
