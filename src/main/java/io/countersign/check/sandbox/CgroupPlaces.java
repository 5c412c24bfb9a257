package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds where this process may make control groups, in either version of them. */
final class CgroupPlaces {
    private static final Path SELF = Path.of("/proc/self");

    private CgroupPlaces() {}

    /**
     * @param root a delegated directory of the unified hierarchy; null asks the kernel where this
     *     process is
     */
    static Optional<Cgroups.Place> find(@Nullable Path root) {
        if (root != null) return Optional.of(root).filter(CgroupPlaces::handsDown).map(V2::new);
        Optional<Path> pids = own("pids");
        if (pids.isPresent()) {
            Path memory = own("memory").filter(Files::isWritable).orElse(null);
            Path cpu = own("cpuacct").filter(Files::isWritable).orElse(null);
            return pids.map(directory -> new V1(directory, memory, cpu));
        }
        return own("").filter(CgroupPlaces::handsDown).map(V2::new);
    }

    /** The directory of this process for a controller; the empty name is the unified hierarchy. */
    private static Optional<Path> own(String controller) {
        return CgroupFiles.lines(SELF.resolve("cgroup")).stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3 && has(parts[1], controller))
                .map(parts -> parts[2])
                .filter(path -> !path.startsWith("/.."))
                .findFirst()
                .flatMap(path -> mounted(controller, path));
    }

    private static boolean has(String controllers, String controller) {
        return Arrays.asList(controllers.split(",")).contains(controller);
    }

    private static Optional<Path> mounted(String controller, String path) {
        for (String line : CgroupFiles.lines(SELF.resolve("mountinfo"))) {
            String[] sides = line.split(" - ", 2);
            String[] mount = sides[0].split(" ");
            String[] type = sides.length < 2 ? new String[0] : sides[1].split(" ");
            if (type.length < 3) continue;
            boolean fits =
                    controller.isEmpty()
                            ? type[0].equals("cgroup2")
                            : type[0].equals("cgroup") && has(type[2], controller);
            String root = mount[3].equals("/") ? "" : mount[3];
            if (fits && path.startsWith(root)) {
                return Optional.of(Path.of(mount[4] + path.substring(root.length())).normalize())
                        .filter(Files::isDirectory);
            }
        }
        return Optional.empty();
    }

    /** Whether groups below {@code base} have the controllers, after asking for them if need be. */
    private static boolean handsDown(Path base) {
        return isEnabled(base) || enable(base) || (stepAside(base) && enable(base));
    }

    private static boolean isEnabled(Path base) {
        Set<String> enabled =
                CgroupFiles.lines(base.resolve("cgroup.subtree_control")).stream()
                        .flatMap(line -> Arrays.stream(line.split(" ")))
                        .collect(Collectors.toSet());
        return enabled.containsAll(Set.of("memory", "pids"));
    }

    private static boolean enable(Path base) {
        try {
            CgroupFiles.write(base.resolve("cgroup.subtree_control"), "+memory +pids");
            return isEnabled(base);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * A group with members of its own cannot hand controllers down, so the service moves into a
     * leaf. Only where the group is all its own: nobody else's process is ever moved.
     */
    private static boolean stepAside(Path base) {
        List<Long> members = CgroupFiles.processes(base);
        Set<Long> own = new HashSet<>(Set.of(ProcessHandle.current().pid()));
        ProcessHandle.current().descendants().forEach(process -> own.add(process.pid()));
        if (members.isEmpty() || !own.containsAll(members)) return false;
        try {
            Path leaf = Files.createDirectories(base.resolve("countersign-service"));
            for (long pid : members) {
                CgroupFiles.write(leaf.resolve("cgroup.procs"), Long.toString(pid));
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private record V1(Path pids, @Nullable Path memory, @Nullable Path cpu)
            implements Cgroups.Place {
        @Override
        public Cgroup make(String name) throws IOException {
            Files.createDirectory(pids.resolve(name));
            if (memory != null) Files.createDirectory(memory.resolve(name));
            if (cpu != null && !cpu.equals(pids)) Files.createDirectory(cpu.resolve(name));
            return existing(name);
        }

        @Override
        public Path directory() {
            return pids;
        }

        @Override
        public Cgroup existing(String name) {
            return new CgroupV1(
                    pids.resolve(name),
                    memory == null ? null : memory.resolve(name),
                    cpu == null ? null : cpu.resolve(name));
        }
    }

    private record V2(Path directory) implements Cgroups.Place {
        @Override
        public Cgroup make(String name) throws IOException {
            Files.createDirectory(directory.resolve(name));
            return existing(name);
        }

        @Override
        public Cgroup existing(String name) {
            return new CgroupV2(directory.resolve(name));
        }
    }
}
