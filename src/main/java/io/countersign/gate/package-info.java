/**
 * The pure decision: {@code plan} says what must happen, {@code conclude} turns results into one
 * verdict. It runs nothing itself.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel", "dod", "scrub", "check", "grader"})
package io.countersign.gate;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
