/**
 * The work under judgement: changed files, change-set and tree hash, archives, blobs, and the fresh
 * workspace of one run.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel", "scrub", "access", "audit"})
package io.countersign.artefact;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
