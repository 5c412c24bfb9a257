/** Independent grading: a verdict on free-text criteria by a model that is not the producer. */
@NullMarked
@ApplicationModule(allowedDependencies = {"kernel", "dod", "artefact", "scrub"})
package io.countersign.grader;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
