package io.countersign.grader;

import io.countersign.kernel.Sha256;

/**
 * What is sent.
 *
 * @param system the grader's rules
 * @param user the criteria and the artefact
 */
record Prompt(String system, String user) {
    Sha256 sha256() {
        return Sha256.of(system + "\n" + user);
    }
}
