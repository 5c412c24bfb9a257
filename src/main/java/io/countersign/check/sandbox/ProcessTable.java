package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads the processes of this host from {@code /proc}. A process that ends meanwhile is left out.
 */
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");

    /** Fixed by Linux for what {@code /proc} shows. */
    private static final long TICKS_PER_SECOND = 100;

    private ProcessTable() {}

    /**
     * One process.
     *
     * @param ticks CPU time of it and of its children that ended and were waited for
     * @param startTicks since the machine's start
     */
    record Entry(long pid, char state, long parent, long ticks, long startTicks) {
        boolean isZombie() {
            return state == 'Z' || state == 'X';
        }
    }

    static List<Entry> read() {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path directory : directories) {
                Entry entry = read(Long.parseLong(directory.getFileName().toString()));
                if (entry != null) entries.add(entry);
            }
        } catch (IOException e) {
            return List.of();
        }
        return entries;
    }

    static @Nullable Entry read(long pid) {
        String stat = text(pid, "stat");
        int name = stat.lastIndexOf(')');
        if (name < 0) return null;
        String[] fields = stat.substring(name + 2).split(" ");
        long ticks = 0;
        for (int i = 11; i <= 14; i++) ticks += Long.parseLong(fields[i]);
        return new Entry(
                pid,
                fields[0].charAt(0),
                Long.parseLong(fields[1]),
                ticks,
                Long.parseLong(fields[19]));
    }

    /** {@code root} and everything below it, as long as no parent between them ended. */
    static List<Entry> tree(List<Entry> all, long root) {
        Set<Long> pids = new HashSet<>(Set.of(root));
        List<Entry> tree = new ArrayList<>();
        boolean grown = true;
        List<Entry> rest = new ArrayList<>(all);
        while (grown) {
            grown = false;
            for (var entries = rest.iterator(); entries.hasNext(); ) {
                Entry entry = entries.next();
                if (entry.pid() != root && !pids.contains(entry.parent())) continue;
                pids.add(entry.pid());
                tree.add(entry);
                entries.remove();
                grown = true;
            }
        }
        return tree;
    }

    static Duration cpu(List<Entry> entries) {
        long ticks = entries.stream().mapToLong(Entry::ticks).sum();
        return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
    }

    /** Memory that is the processes' own, without what they share with files, in bytes. */
    static long residentBytes(List<Entry> entries) {
        long kilobytes = 0;
        for (Entry entry : entries) {
            String status = text(entry.pid(), "status");
            kilobytes += number(status, "RssAnon:") + number(status, "RssShmem:");
        }
        return kilobytes * 1024;
    }

    /** Threads of all processes of a user. */
    static int tasksOf(int uid) {
        long tasks = 0;
        for (Entry entry : read()) {
            String status = text(entry.pid(), "status");
            if (number(status, "Uid:") == uid) tasks += number(status, "Threads:");
        }
        return (int) tasks;
    }

    /**
     * Begins the names of what this service leaves on the host while it lives: the PID namespace
     * and the process, so that a later service can tell what nobody owns any more.
     */
    static String owner(String prefix) {
        return ownerNamespace(prefix) + ProcessHandle.current().pid() + "-";
    }

    /** Whether a name that begins as {@link #owner} says belongs to a process that ended. */
    static boolean isOrphan(String prefix, String name) {
        String namespace = ownerNamespace(prefix);
        if (!name.startsWith(namespace)) return false;
        String pid = name.substring(namespace.length()).split("-")[0];
        return pid.matches("\\d{1,10}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }

    private static String ownerNamespace(String prefix) {
        try {
            String namespace = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
            return prefix + namespace.replaceAll("\\D", "") + "-";
        } catch (IOException e) {
            return prefix + "0-";
        }
    }

    /** The first child of a process that has one. */
    static OptionalLong firstChild(long pid) {
        String children = text(pid, "task/" + pid + "/children").strip();
        if (!children.isEmpty()) return OptionalLong.of(Long.parseLong(children.split(" ")[0]));
        return read().stream()
                .filter(entry -> entry.parent() == pid)
                .mapToLong(Entry::pid)
                .findFirst();
    }

    /** Whether the process is the first one of a PID namespace below this one. */
    static boolean leadsNamespace(long pid) {
        return text(pid, "status").lines().anyMatch(line -> line.matches("NSpid:(\t\\d+)+\t1"));
    }

    /** Empty when the process ended or is not ours to read. */
    static String text(long pid, String file) {
        try {
            byte[] bytes = Files.readAllBytes(PROC.resolve(pid + "/" + file));
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static long number(String status, String key) {
        int at = status.indexOf("\n" + key);
        if (at < 0) return 0;
        int from = at + 1 + key.length();
        while (from < status.length() && !Character.isDigit(status.charAt(from))) from++;
        int to = from;
        while (to < status.length() && Character.isDigit(status.charAt(to))) to++;
        return to == from ? 0 : Long.parseLong(status.substring(from, to));
    }
}
