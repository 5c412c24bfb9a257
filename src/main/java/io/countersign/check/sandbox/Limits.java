package io.countersign.check.sandbox;

import org.springframework.util.unit.DataSize;

import java.time.Duration;

/**
 * The bounds of one run.
 *
 * @param wall wall clock
 * @param cpu CPU time of the whole tree
 * @param memory resident memory of the whole tree
 * @param processes processes and threads alive at once
 * @param fileSize the largest file it may write
 * @param keptOutput bytes kept of each stream: half as head, half as tail
 * @param maxOutput bytes of output, both streams together, past which the tree is killed
 */
public record Limits(
        Duration wall,
        Duration cpu,
        DataSize memory,
        int processes,
        DataSize fileSize,
        DataSize keptOutput,
        DataSize maxOutput) {
    /** The defaults of {@code docs/checks.md} around a wall-clock limit. */
    public static Limits of(Duration wall) {
        return new Limits(
                wall,
                wall,
                DataSize.ofGigabytes(4),
                512,
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(8),
                DataSize.ofGigabytes(1));
    }
}
