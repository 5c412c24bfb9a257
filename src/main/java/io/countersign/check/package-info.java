/**
 * Deterministic checks: one class per kind, the command policy, readers of test reports, and the
 * sandbox.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel", "dod", "artefact", "evidence", "scrub"})
package io.countersign.check;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
