/**
 * The database's schema fits the code, or the service does not start. Migrates it, at the start of
 * the service or as a command of its own.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package io.countersign.schema;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
