package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The files of control groups, in directories that look like them: a host has only one version, and
 * the contract tests use that one for real.
 */
class CgroupTests {
    private static final Limits LIMITS = Limits.of(Duration.ofSeconds(1));

    @TempDir Path directory;

    @Test
    void boundsAndCountsInTheUnifiedHierarchy() throws IOException {
        files("pids.max", "memory.max", "memory.swap.max", "memory.oom.group", "cgroup.procs");
        write("cpu.stat", "usage_usec 1000\nuser_usec 1\n");
        write("memory.events", "low 0\noom 1\noom_kill 2\noom_group_kill 0\n");
        var cgroup = new CgroupV2(directory);
        cgroup.limit(LIMITS);
        assertThat(directory.resolve("pids.max")).hasContent("512");
        assertThat(directory.resolve("memory.max")).hasContent("4294967296");
        assertThat(directory.resolve("memory.swap.max")).hasContent("0");
        assertThat(cgroup.ranOutOfMemory()).isFalse();
        assertThat(cgroup.isEmpty()).isTrue();

        write("cpu.stat", "usage_usec 3500\n");
        write("memory.events", "low 0\noom_kill 3\n");
        write("cgroup.procs", "4000000000\n");
        assertThat(cgroup.cpu()).contains(Duration.ofNanos(2_500_000));
        assertThat(cgroup.ranOutOfMemory()).isTrue();
        assertThat(cgroup.isEmpty()).isFalse();
    }

    @Test
    void killsTheWholeGroupAtOnceWhereTheKernelCan() throws IOException {
        files("cgroup.kill", "pids.max", "cgroup.procs");
        new CgroupV2(directory).kill();
        assertThat(directory.resolve("cgroup.kill")).hasContent("1");
        assertThat(directory.resolve("pids.max")).isEmptyFile();
    }

    @Test
    void forbidsForksBeforeItKillsOneByOne() throws IOException {
        files("pids.max", "cgroup.procs");
        new CgroupV2(directory).kill();
        assertThat(directory.resolve("pids.max")).hasContent("0");
    }

    @Test
    void boundsAndCountsInSeparateHierarchies() throws IOException {
        files("pids.max", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "cgroup.procs");
        write("cpuacct.usage", "1000\n");
        write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
        var cgroup = new CgroupV1(directory, directory, directory);
        cgroup.limit(LIMITS);
        assertThat(directory.resolve("memory.limit_in_bytes")).hasContent("4294967296");
        assertThat(directory.resolve("memory.memsw.limit_in_bytes")).hasContent("4294967296");
        assertThat(cgroup.cpu()).contains(Duration.ZERO);
        write("memory.oom_control", "oom_kill 6\n");
        assertThat(cgroup.ranOutOfMemory()).isTrue();
        assertThat(new CgroupV1(directory, null, null).cpu()).isEmpty();
        assertThat(new CgroupV1(directory, null, null).boundsMemory()).isFalse();
    }

    @Test
    void asksADelegatedDirectoryToHandControllersDown() throws IOException {
        write("cgroup.subtree_control", "cpu memory pids\n");
        assertThat(CgroupPlaces.find(directory)).isPresent();
        assertThat(directory.resolve("cgroup.subtree_control")).hasContent("cpu memory pids");

        write("cgroup.subtree_control", "cpu\n");
        files("cgroup.procs");
        CgroupPlaces.find(directory);
        assertThat(directory.resolve("cgroup.subtree_control")).hasContent("+memory +pids");
    }

    @Test
    void findsNoPlaceInAnOrdinaryDirectory() {
        assertThat(CgroupPlaces.find(directory)).isEmpty();
    }

    @Test
    void lendsAnEmptyGroupOnceMore() throws IOException {
        Optional<Cgroups> cgroups = Cgroups.open(new FakePlace(directory));
        assertThat(cgroups).isPresent();
        Cgroup first = cgroups.get().lease(LIMITS);
        Cgroup second = cgroups.get().lease(LIMITS);
        assertThat(first).isNotSameAs(second);
        cgroups.get().release(first);
        assertThat(cgroups.get().lease(LIMITS)).isSameAs(first);
    }

    /** Directories with the files that a kernel would put there. */
    private record FakePlace(Path directory) implements Cgroups.Place {
        @Override
        public Cgroup make(String name) throws IOException {
            Path group = Files.createDirectory(directory.resolve(name));
            for (String file : new String[] {"pids.max", "memory.max", "cgroup.procs"}) {
                Files.createFile(group.resolve(file));
            }
            return existing(name);
        }

        @Override
        public Cgroup existing(String name) {
            return new CgroupV2(directory.resolve(name));
        }
    }

    private void files(String... names) throws IOException {
        for (String name : names) write(name, "");
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content);
    }
}
