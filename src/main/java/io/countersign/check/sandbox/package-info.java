/** Runs one command with bounds, and ends its whole process tree. The only user of processes. */
@NullMarked
@NamedInterface("sandbox")
package io.countersign.check.sandbox;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
