/** Single-use receipts bound to one change-set: issued on acceptance, consumed once. */
@NullMarked
@ApplicationModule(
        allowedDependencies = {
            "kernel",
            "scrub",
            "audit",
            "access",
            "artefact",
            "gate",
            "verification",
            "attestation"
        })
package io.countersign.receipt;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
