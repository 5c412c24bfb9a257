/**
 * Local mode: the service on one machine with nothing beside it. Without {@code
 * spring.datasource.url} it runs its own PostgreSQL, keeps the data over restarts, and says how to
 * get a first verdict.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package io.countersign.local;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
