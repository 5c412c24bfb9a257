/**
 * Verdicts of external judges: what each is worth by its anchor, reviews, sealed bundles, exit
 * codes.
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
            "grader",
            "gate",
            "verification",
            "attestation",
            "receipt"
        })
package io.countersign.decision;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
