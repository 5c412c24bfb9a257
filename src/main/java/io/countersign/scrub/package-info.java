/**
 * Redacts secrets, cleans control characters and bounds text before anything is stored, logged or
 * shown. Pure.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package io.countersign.scrub;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
