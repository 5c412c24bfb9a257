package io.countersign.check.sandbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Watches what a whole process tree uses: by its control group where there is one, else by adding
 * up what {@code /proc} shows every now and then.
 */
final class Meter {
    private static final long SCAN_NANOS = Duration.ofMillis(200).toNanos();

    private final Optional<Cgroup> cgroup;
    private final Supplier<List<ProcessTable.Entry>> members;
    private final Limits limits;
    private long lastScan = System.nanoTime();

    Meter(Optional<Cgroup> cgroup, Supplier<List<ProcessTable.Entry>> members, Limits limits) {
        this.cgroup = cgroup;
        this.members = members;
        this.limits = limits;
    }

    Optional<String> exceeded() {
        if (cgroup.isPresent() && cgroup.get().ranOutOfMemory()) return memory();
        Optional<Duration> cpu = cgroup.flatMap(Cgroup::cpu);
        if (cpu.isPresent() && cpu.get().compareTo(limits.cpu()) > 0) return cpu();
        boolean counted = cpu.isPresent() && cgroup.get().boundsMemory();
        return counted ? Optional.empty() : scan(cpu.isPresent());
    }

    private Optional<String> scan(boolean cpuIsCounted) {
        long now = System.nanoTime();
        if (now - lastScan < SCAN_NANOS) return Optional.empty();
        lastScan = now;
        List<ProcessTable.Entry> entries = members.get();
        if (!cpuIsCounted && ProcessTable.cpu(entries).compareTo(limits.cpu()) > 0) return cpu();
        boolean bounded = cgroup.isPresent() && cgroup.get().boundsMemory();
        return !bounded && ProcessTable.residentBytes(entries) > limits.memory().toBytes()
                ? memory()
                : Optional.empty();
    }

    private Optional<String> memory() {
        return Optional.of(LimitTexts.memory(limits));
    }

    private Optional<String> cpu() {
        return Optional.of(LimitTexts.cpu(limits));
    }
}
