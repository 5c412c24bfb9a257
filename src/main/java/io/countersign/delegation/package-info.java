/**
 * The authoritative loop: delegations, attempts, the escalation ladder, plan linting. An unaccepted
 * result is never returned as accepted.
 */
@NullMarked
@ApplicationModule(
        allowedDependencies = {
            "kernel",
            "dod",
            "scrub",
            "audit",
            "access",
            "artefact",
            "check",
            "grader",
            "gate",
            "verification",
            "attestation",
            "receipt"
        })
package io.countersign.delegation;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
