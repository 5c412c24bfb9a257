package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lends control groups to runs. Making and removing one costs the kernel more than a whole run, so
 * a group that is empty again is lent once more.
 */
final class Cgroups implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Cgroups.class);
    private static final int MAX_IDLE = 16;
    private static final String PREFIX = "countersign-";

    /** Names are never used twice by one service, whatever it closes and opens. */
    private static final AtomicInteger MADE = new AtomicInteger();

    /** Where groups are made, with the way to make one there. */
    interface Place {
        /** Makes the group of that name; fails when this process may not. */
        Cgroup make(String name) throws IOException;

        /** The directory whose members tell which groups exist. */
        Path directory();

        /** A group that an earlier process left there. */
        Cgroup existing(String name);
    }

    private final Place place;
    private final Deque<Cgroup> idle = new ArrayDeque<>();

    private Cgroups(Place place) {
        this.place = place;
    }

    /** Looks for a place where this process may make groups; empty when there is none. */
    static Optional<Cgroups> find(SandboxProperties properties) {
        return CgroupPlaces.find(properties.cgroupRoot()).flatMap(Cgroups::open);
    }

    static Optional<Cgroups> open(Place place) {
        try {
            var cgroups = new Cgroups(place);
            cgroups.sweep();
            cgroups.release(cgroups.lease(Limits.of(Duration.ofSeconds(1))));
            return Optional.of(cgroups);
        } catch (IOException e) {
            log.debug("no control groups in {}", place.directory(), e);
            return Optional.empty();
        }
    }

    Cgroup lease(Limits limits) throws IOException {
        Cgroup cgroup = takeIdle();
        if (cgroup != null) {
            try {
                cgroup.limit(limits);
                return cgroup;
            } catch (IOException e) {
                // Its page cache does not fit under a lower bound: take a new one.
                cgroup.remove();
            }
        }
        cgroup = place.make(ProcessTable.owner(PREFIX) + MADE.incrementAndGet());
        try {
            cgroup.limit(limits);
            return cgroup;
        } catch (IOException e) {
            cgroup.remove();
            throw e;
        }
    }

    private synchronized @Nullable Cgroup takeIdle() {
        return idle.pollFirst();
    }

    void release(Cgroup cgroup) {
        if (cgroup.isEmpty() && keep(cgroup)) return;
        cgroup.kill();
        cgroup.remove();
    }

    private synchronized boolean keep(Cgroup cgroup) {
        if (idle.size() >= MAX_IDLE) return false;
        idle.addFirst(cgroup);
        return true;
    }

    /** Ends and removes what a service that was killed left behind. */
    private void sweep() throws IOException {
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(place.directory(), PREFIX + "*")) {
            for (Path directory : left) {
                String name = directory.getFileName().toString();
                if (!ProcessTable.isOrphan(PREFIX, name)) continue;
                Cgroup cgroup = place.existing(name);
                cgroup.kill();
                cgroup.remove();
            }
        }
    }

    @Override
    public synchronized void close() {
        idle.forEach(Cgroup::remove);
        idle.clear();
    }
}
