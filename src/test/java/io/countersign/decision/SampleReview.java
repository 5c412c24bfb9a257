package io.countersign.decision;

import io.countersign.kernel.Sha256;

import java.util.List;
import java.util.Map;

/** A review that the service's own grader is to judge. */
final class SampleReview {
    private SampleReview() {}

    static Map<String, Object> of(String project) {
        return Map.of(
                "project",
                project,
                "artifact",
                "pr-12",
                "evidence",
                List.of(Map.of("ref", "src/x.py:1", "literal", "return text[1:]")),
                "drafterId",
                "author",
                "changeSet",
                Map.of(
                        "files",
                        List.of(Map.of("path", "src/x.py", "sha256", Sha256.of("x").hex()))),
                "backend",
                "grader");
    }
}
