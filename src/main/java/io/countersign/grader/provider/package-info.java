/**
 * Model providers: one declarative client for each of the two wire formats, and the resilience
 * around every named instance. Internal to {@code grader}.
 */
@NullMarked
package io.countersign.grader.provider;

import org.jspecify.annotations.NullMarked;
