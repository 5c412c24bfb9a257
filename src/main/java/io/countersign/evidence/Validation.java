package io.countersign.evidence;

import java.util.List;

/** What became of a document. */
public sealed interface Validation {
    record Valid(ValidatedEvidence evidence) implements Validation {}

    /**
     * @param problems at least one
     */
    record Refused(List<EvidenceProblem> problems) implements Validation {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
