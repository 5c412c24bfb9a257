/**
 * The verification aggregate, its durable job, frozen policy, events, callbacks, history and
 * statistics.
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
            "evidence",
            "check",
            "check :: sandbox",
            "grader",
            "gate"
        })
package io.countersign.verification;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
