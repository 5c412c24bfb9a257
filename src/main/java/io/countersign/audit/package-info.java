/** Append-only audit events, sealed in batches by a hash chain per project. */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel"})
package io.countersign.audit;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
