package io.countersign.check.sandbox;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The tree of a run in a PID namespace: when its first process dies, the kernel ends all others,
 * whatever they did to detach.
 */
final class NamespaceTree implements ProcessTree {
    private static final Duration SETUP = Duration.ofMillis(300);

    private final Process monitor;
    private final Supplier<OptionalLong> first;
    private final Optional<Cgroup> cgroup;
    private final Meter meter;

    /**
     * @param monitor the started process, which stands outside
     * @param first the first process inside, as this host numbers it, once there is one
     */
    NamespaceTree(
            Process monitor, Supplier<OptionalLong> first, Optional<Cgroup> cgroup, Limits limits) {
        this.monitor = monitor;
        this.first = first;
        this.cgroup = cgroup;
        this.meter =
                new Meter(
                        cgroup,
                        () -> ProcessTable.tree(ProcessTable.read(), monitor.pid()),
                        limits);
    }

    @Override
    public Optional<String> exceeded() {
        return meter.exceeded();
    }

    @Override
    public boolean endsByItself() {
        return true;
    }

    @Override
    public void kill() {
        cgroup.ifPresent(Cgroup::kill);
        OptionalLong leader = awaitFirstProcess();
        if (leader.isPresent() && ProcessTable.leadsNamespace(leader.getAsLong())) {
            ProcessHandle.of(leader.getAsLong()).ifPresent(ProcessHandle::destroyForcibly);
        }
        monitor.destroyForcibly();
    }

    /**
     * A monitor that is killed while it still builds the namespace could leave a child behind that
     * waits for it for ever, so the child is waited for first; it takes some milliseconds.
     */
    private OptionalLong awaitFirstProcess() {
        long deadline = System.nanoTime() + SETUP.toNanos();
        OptionalLong leader = first.get();
        while (leader.isEmpty() && monitor.isAlive() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(500_000);
            leader = first.get();
        }
        return leader;
    }

    @Override
    public boolean isGone() {
        if (monitor.isAlive()) return false;
        OptionalLong leader = first.get();
        if (leader.isEmpty()) return cgroup.map(Cgroup::isEmpty).orElse(true);
        // As a zombie it has already seen all others of its namespace end.
        var entry = ProcessTable.read(leader.getAsLong());
        return entry == null || entry.isZombie() || !ProcessTable.leadsNamespace(entry.pid());
    }
}
