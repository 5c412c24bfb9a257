package io.countersign.check.sandbox;

import org.springframework.util.unit.DataSize;

import java.time.Duration;

/**
 * The bounds of one run.
 *
 * @param wall wall clock
 * @param cpu CPU time of the whole tree, all processors together
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
    public Limits {
        requirePositive("wall", wall.isPositive());
        requirePositive("cpu", cpu.isPositive());
        requirePositive("memory", memory.toBytes() > 0);
        requirePositive("processes", processes > 0);
        requirePositive("fileSize", fileSize.toBytes() > 0);
        requirePositive("keptOutput", keptOutput.toBytes() > 0);
        requirePositive("maxOutput", maxOutput.toBytes() > 0);
    }

    private static void requirePositive(String name, boolean positive) {
        if (!positive) throw new IllegalArgumentException(name + " must be positive");
    }

    /** The defaults of {@code docs/sandbox.md} around a wall-clock limit. */
    public static Limits of(Duration wall) {
        return new Limits(
                wall,
                cpuWithin(wall),
                DataSize.ofGigabytes(4),
                512,
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(8),
                DataSize.ofGigabytes(1));
    }

    /**
     * What a tree can use up within a wall-clock limit at most. A plain {@code wall} would end an
     * honest parallel build on a machine with many processors long before its time.
     */
    static Duration cpuWithin(Duration wall) {
        return wall.multipliedBy(Runtime.getRuntime().availableProcessors());
    }
}
