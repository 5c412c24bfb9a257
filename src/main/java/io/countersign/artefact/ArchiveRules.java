package io.countersign.artefact;

import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the entries of one archive have to keep, entry by entry and all together. Every method
 * throws a {@link ProblemException} that names the entry at fault.
 */
final class ArchiveRules {
    /** All paths and link targets together, in bytes: what an index of them may cost in memory. */
    private static final long MAX_NAMES = 32L << 20;

    private final ArchiveLimits limits;
    private final long maxUnpacked;
    private final Map<String, Node> nodes = new HashMap<>();
    private int entries;
    private int files;
    private int implied;
    private long names;
    private long unpacked;

    /** What stands at a path. {@code Implied} is a directory that only longer paths name. */
    sealed interface Node {
        record File(long size) implements Node {}

        record Directory() implements Node {}

        record Implied() implements Node {}

        record Link(String target) implements Node {}
    }

    /**
     * @param archiveBytes size of the archive itself, for the ratio
     */
    ArchiveRules(ArchiveLimits limits, long archiveBytes) {
        this.limits = limits;
        this.maxUnpacked = limits.unpackedFrom(archiveBytes);
    }

    /** How many files, links included, there are so far. */
    int files() {
        return files;
    }

    /** How many entries there are so far, directories included. */
    int entries() {
        return entries;
    }

    /**
     * Takes the path of an entry. A {@code ./} in front of it, which {@code tar} writes when it
     * packs {@code .}, is left out.
     *
     * @return null for the root itself
     */
    @Nullable WorkspacePath path(ArchiveEntry entry) {
        if (++entries > limits.entries()) {
            throw tooManyEntries(limits);
        }
        boolean directory = entry instanceof ArchiveEntry.Directory;
        String path = relative(entry.name(), directory);
        if (directory && path.isEmpty()) {
            return null;
        }
        WorkspacePath.Fault fault = WorkspacePath.faultOf(path);
        if (fault != null) {
            throw Refusals.path(entry.name(), fault);
        }
        demandStorable(entry.name(), path);
        return new WorkspacePath(path);
    }

    /** In the plain C locale Java cannot name what is not ASCII. */
    private static void demandStorable(String entry, String name) {
        try {
            var _ = Path.of(name);
        } catch (InvalidPathException e) {
            throw Refusals.unsafe(
                    entry,
                    "has a name that this server cannot store: its operator has to start it in a"
                            + " UTF-8 locale (LC_ALL=C.UTF-8)");
        }
    }

    static ProblemException tooManyEntries(ArchiveLimits limits) {
        return Refusals.tooLarge("there are more than " + limits.entries() + " entries");
    }

    private static String relative(String name, boolean directory) {
        String path = name.equals(".") ? "" : name;
        while (path.startsWith("./")) {
            path = path.substring(2);
        }
        boolean slash = directory && path.length() > 1 && path.endsWith("/");
        return slash ? path.substring(0, path.length() - 1) : path;
    }

    void directory(WorkspacePath path) {
        put(path, new Node.Directory());
    }

    void file(WorkspacePath path) {
        files++;
        put(path, new Node.File(0));
    }

    /** Notes how large a file turned out to be: a hard link to it counts as a copy. */
    void sized(WorkspacePath path, long size) {
        nodes.put(path.value(), new Node.File(size));
    }

    void symlink(WorkspacePath path, String target) {
        files++;
        if (target.isEmpty() || target.indexOf('\0') >= 0) {
            throw Refusals.unsafe(path.value(), "is a symlink without a usable target");
        }
        demandStorable(path.value(), target);
        countNames(target);
        put(path, new Node.Link(target));
    }

    /**
     * Takes a hard link, whose target has to be an earlier regular file.
     *
     * @return the target's path
     */
    WorkspacePath hardLink(WorkspacePath path, String target) {
        files++;
        String relative = relative(target, false);
        WorkspacePath.Fault fault = WorkspacePath.faultOf(relative);
        if (fault != null) {
            throw Refusals.unsafe(
                    path.value(),
                    "is a hard link to " + Shown.text(target) + ", which " + fault.message());
        }
        if (!(nodes.get(relative) instanceof Node.File original)) {
            throw Refusals.unsafe(
                    path.value(),
                    "is a hard link to "
                            + Shown.text(target)
                            + ", which is no file that comes before it");
        }
        unpacked(original.size());
        put(path, original);
        return new WorkspacePath(relative);
    }

    /** Counts bytes of content, before they are written. */
    void unpacked(long bytes) {
        unpacked += bytes;
        if (unpacked > maxUnpacked) {
            throw Refusals.tooLarge(
                    maxUnpacked < limits.unpacked()
                            ? "it unpacks to more than "
                                    + limits.ratio()
                                    + " times its own size, as archive bombs do"
                            : "it unpacks to more than " + limits.unpacked() + " bytes");
        }
    }

    /**
     * How many bytes a decompressor may have put out by now: contents, and per entry what headers
     * and padding can take. It bounds the work that a bomb without contents causes.
     */
    long maxRaw() {
        return maxUnpacked + 4096L * (entries + 16);
    }

    /** Checks what only the whole archive shows: where its symlinks lead. */
    void finish() {
        LinkCheck check = new LinkCheck(nodes);
        nodes.forEach(
                (path, node) -> {
                    if (node instanceof Node.Link link) {
                        check.follow(path, link.target());
                    }
                });
    }

    private void put(WorkspacePath path, Node node) {
        imply(path.parent(), path);
        countNames(path.value());
        Node before = nodes.put(path.value(), node);
        boolean directories = before instanceof Node.Implied && node instanceof Node.Directory;
        if (before instanceof Node.Implied && !directories) {
            throw Refusals.unsafe(path.value(), "is no directory, but other entries lie below it");
        }
        if (before != null && !directories) {
            throw Refusals.duplicate(path.value());
        }
    }

    private void imply(@Nullable WorkspacePath directory, WorkspacePath child) {
        for (WorkspacePath at = directory; at != null; at = at.parent()) {
            Node node = nodes.get(at.value());
            if (node == null) {
                if (++implied > limits.entries()) {
                    throw Refusals.tooLarge(
                            "there are more than " + limits.entries() + " directories");
                }
                countNames(at.value());
                nodes.put(at.value(), new Node.Implied());
            } else if (node instanceof Node.Link) {
                throw Refusals.unsafe(child.value(), "lies below the symlink " + at.value());
            } else if (node instanceof Node.File) {
                throw Refusals.unsafe(child.value(), "lies below " + at.value() + ", a file");
            } else {
                return;
            }
        }
    }

    private void countNames(String name) {
        names += name.getBytes(StandardCharsets.UTF_8).length;
        if (names > MAX_NAMES) {
            throw Refusals.tooLarge("its paths are longer than " + MAX_NAMES + " bytes together");
        }
    }
}
