/**
 * Principals, API keys, roles and projects: who calls, what they may do, and under which policy.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel", "audit"})
package io.countersign.access;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
