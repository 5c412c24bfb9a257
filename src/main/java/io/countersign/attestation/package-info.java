/**
 * Signed statements about verdicts: in-toto in DSSE, the keys that sign them, their query by
 * digest.
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
            "gate",
            "verification"
        })
package io.countersign.attestation;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
