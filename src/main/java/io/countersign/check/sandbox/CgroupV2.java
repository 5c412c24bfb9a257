package io.countersign.check.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A control group of the unified hierarchy. */
final class CgroupV2 implements Cgroup {
    private final Path directory;
    private long killedBefore;
    private long cpuBefore;

    CgroupV2(Path directory) {
        this.directory = directory;
    }

    @Override
    public List<Path> joinFiles() {
        return List.of(directory.resolve("cgroup.procs"));
    }

    @Override
    public void limit(Limits limits) throws IOException {
        CgroupFiles.write(directory.resolve("pids.max"), Integer.toString(limits.processes()));
        CgroupFiles.write(
                directory.resolve("memory.max"), Long.toString(limits.memory().toBytes()));
        CgroupFiles.writeIfPresent(directory.resolve("memory.swap.max"), "0");
        CgroupFiles.writeIfPresent(directory.resolve("memory.oom.group"), "1");
        killedBefore = killed();
        cpuBefore = cpuMicros();
    }

    @Override
    public boolean boundsMemory() {
        return true;
    }

    @Override
    public Optional<Duration> cpu() {
        return Optional.of(Duration.ofNanos((cpuMicros() - cpuBefore) * 1000));
    }

    private long cpuMicros() {
        return CgroupFiles.number(directory.resolve("cpu.stat"), "usage_usec");
    }

    @Override
    public boolean ranOutOfMemory() {
        return killed() > killedBefore;
    }

    private long killed() {
        return CgroupFiles.number(directory.resolve("memory.events"), "oom_kill");
    }

    /** {@code cgroup.kill} came with Linux 5.14; before it, no forks and one by one. */
    @Override
    public void kill() {
        Path killAll = directory.resolve("cgroup.kill");
        if (Files.exists(killAll)) {
            CgroupFiles.writeIfPresent(killAll, "1");
        } else {
            CgroupFiles.writeIfPresent(directory.resolve("pids.max"), "0");
            CgroupFiles.kill(CgroupFiles.processes(directory));
        }
    }

    @Override
    public boolean isEmpty() {
        return CgroupFiles.countsNobody(directory);
    }

    @Override
    public void remove() {
        CgroupFiles.removeQuietly(directory);
    }
}
