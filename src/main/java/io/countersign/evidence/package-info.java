/**
 * Runtime evidence v1: the model, its validator, the recomputed accounting and assertion
 * eligibility. Pure but for its controller.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel", "scrub"})
package io.countersign.evidence;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
