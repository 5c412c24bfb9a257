/**
 * Reads what a test run says about itself: JUnit XML, TAP, and the summary lines of runners. All of
 * it is the producer's word and hostile input: bounded, and never believed beyond a count.
 */
@NullMarked
package io.countersign.check.report;

import org.jspecify.annotations.NullMarked;
