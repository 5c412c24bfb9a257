package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Control groups as one hierarchy per controller. */
final class CgroupV1 implements Cgroup {
    private final Path pids;
    private final @Nullable Path memory;
    private final @Nullable Path cpu;
    private long killedBefore;
    private long cpuBefore;

    CgroupV1(Path pids, @Nullable Path memory, @Nullable Path cpu) {
        this.pids = pids;
        this.memory = memory;
        this.cpu = cpu;
    }

    private Stream<Path> directories() {
        List<Path> directories = new ArrayList<>(List.of(pids));
        if (memory != null) directories.add(memory);
        if (cpu != null && !cpu.equals(pids)) directories.add(cpu);
        return directories.stream();
    }

    @Override
    public List<Path> joinFiles() {
        return directories().map(directory -> directory.resolve("cgroup.procs")).toList();
    }

    @Override
    public void limit(Limits limits) throws IOException {
        CgroupFiles.write(pids.resolve("pids.max"), Integer.toString(limits.processes()));
        if (memory != null) {
            // The sum with swap may never lie below the memory bound, also in between.
            CgroupFiles.writeIfPresent(memory.resolve("memory.memsw.limit_in_bytes"), "-1");
            String bytes = Long.toString(limits.memory().toBytes());
            CgroupFiles.write(memory.resolve("memory.limit_in_bytes"), bytes);
            CgroupFiles.writeIfPresent(memory.resolve("memory.memsw.limit_in_bytes"), bytes);
        }
        killedBefore = killed();
        cpuBefore = cpuNanos();
    }

    @Override
    public boolean boundsMemory() {
        return memory != null;
    }

    @Override
    public Optional<Duration> cpu() {
        return cpu == null
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(cpuNanos() - cpuBefore));
    }

    private long cpuNanos() {
        if (cpu == null) return 0;
        List<String> lines = CgroupFiles.lines(cpu.resolve("cpuacct.usage"));
        return lines.isEmpty() ? 0 : Long.parseLong(lines.getFirst());
    }

    @Override
    public boolean ranOutOfMemory() {
        return killed() > killedBefore;
    }

    private long killed() {
        return memory == null
                ? 0
                : CgroupFiles.number(memory.resolve("memory.oom_control"), "oom_kill");
    }

    @Override
    public void kill() {
        CgroupFiles.writeIfPresent(pids.resolve("pids.max"), "0");
        CgroupFiles.kill(CgroupFiles.processes(pids));
    }

    @Override
    public boolean isEmpty() {
        return CgroupFiles.countsNobody(pids);
    }

    @Override
    public void remove() {
        directories().forEach(CgroupFiles::removeQuietly);
    }
}
