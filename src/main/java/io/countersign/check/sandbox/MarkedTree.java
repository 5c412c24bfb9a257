package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The tree of a run without a namespace: the members of its control group where there is one, and
 * every process that descends from the command, or carries the run's mark in its environment, or
 * (where a daemon cleared that) has the run's own hard bound on core files, which children inherit
 * and nobody can raise.
 */
final class MarkedTree implements ProcessTree {
    /** Below this, ending them one by one is faster than they can fork. */
    private static final int FEW = 16;

    private final Process process;
    private final ProcessTable.@Nullable Entry leader;
    private final Mark mark;
    private final Optional<Cgroup> cgroup;
    private final boolean inescapable;
    private final Meter meter;
    private final Set<Long> stopped = new HashSet<>();
    private final Set<Incarnation> known = new HashSet<>();

    /** Pids are used again; with its start time one is unique. */
    private record Incarnation(long pid, long startTicks) {}

    /**
     * What tells a run's processes from others.
     *
     * @param variable {@code NAME=value} in their environment
     * @param coreBytes their hard bound on core files
     */
    record Mark(String variable, long coreBytes) {
        boolean isOn(long pid) {
            return ("\0" + ProcessTable.text(pid, "environ")).contains("\0" + variable + "\0")
                    || ProcessTable.text(pid, "limits")
                            .lines()
                            .filter(line -> line.startsWith("Max core file size"))
                            .anyMatch(line -> line.matches(".*\\s" + coreBytes + "\\s+bytes\\s*"));
        }
    }

    /**
     * @param inescapable whether the command's user cannot leave the control group, so that nobody
     *     else has to be looked at
     */
    MarkedTree(
            Process process,
            Mark mark,
            Optional<Cgroup> cgroup,
            boolean inescapable,
            Limits limits) {
        this.process = process;
        this.leader = ProcessTable.read(process.pid());
        this.mark = mark;
        this.cgroup = cgroup;
        this.inescapable = inescapable && cgroup.isPresent();
        this.meter = new Meter(cgroup, this::members, limits);
    }

    private synchronized List<ProcessTable.Entry> members() {
        List<ProcessTable.Entry> all = ProcessTable.read();
        Set<Long> descendants = new HashSet<>();
        if (leader != null && all.stream().anyMatch(this::isLeader)) {
            ProcessTable.tree(all, leader.pid()).forEach(entry -> descendants.add(entry.pid()));
        }
        long since = leader == null ? 0 : leader.startTicks();
        return all.stream()
                .filter(entry -> entry.startTicks() >= since && !entry.isZombie())
                .filter(entry -> descendants.contains(entry.pid()) || isMarked(entry))
                .toList();
    }

    /** Once marked, always ours; looking is dear where there are many. */
    private boolean isMarked(ProcessTable.Entry entry) {
        var incarnation = new Incarnation(entry.pid(), entry.startTicks());
        return known.contains(incarnation) || (mark.isOn(entry.pid()) && known.add(incarnation));
    }

    private boolean isLeader(ProcessTable.Entry entry) {
        return leader != null
                && entry.pid() == leader.pid()
                && entry.startTicks() == leader.startTicks();
    }

    @Override
    public Optional<String> exceeded() {
        return meter.exceeded();
    }

    @Override
    public boolean endsByItself() {
        return false;
    }

    @Override
    public void kill() {
        cgroup.ifPresent(Cgroup::kill);
        if (!inescapable) {
            List<ProcessTable.Entry> members = members();
            // Whoever forks faster than we look must be frozen before it can be ended.
            if (members.size() > FEW) members = freeze(members);
            members.forEach(MarkedTree::kill);
        }
        // Where there is no /proc to read, the JDK still knows the children.
        if (leader == null) process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void kill(ProcessTable.Entry entry) {
        if (entry.pid() == ProcessHandle.current().pid()) return;
        ProcessHandle.of(entry.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }

    private List<ProcessTable.Entry> freeze(List<ProcessTable.Entry> members) {
        List<ProcessTable.Entry> found = members;
        for (int i = 0; i < 10; i++) {
            List<String> running =
                    found.stream()
                            .map(ProcessTable.Entry::pid)
                            .filter(stopped::add)
                            .map(String::valueOf)
                            .toList();
            if (running.isEmpty()) break;
            stop(running);
            found = members();
        }
        return found;
    }

    private static void stop(List<String> pids) {
        var command = new ArrayList<>(List.of("/bin/sh", "-c", "kill -STOP \"$@\"", "sh"));
        command.addAll(pids);
        try {
            Process stop =
                    Launcher.start(
                            new ProcessBuilder(command)
                                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                    .redirectError(ProcessBuilder.Redirect.DISCARD));
            if (!stop.waitFor(200, TimeUnit.MILLISECONDS)) stop.destroyForcibly();
        } catch (IOException e) {
            // Without it the next round kills what it can find.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isGone() {
        if (process.isAlive()) return false;
        if (cgroup.isPresent() && !cgroup.get().isEmpty()) return false;
        return inescapable || members().isEmpty();
    }
}
