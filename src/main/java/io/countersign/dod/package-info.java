/**
 * The Definition-of-Done language: parse, normalise, infer, diagnose. Pure; its controller sits in
 * {@code dod.web}.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel"})
package io.countersign.dod;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
