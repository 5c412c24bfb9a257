package io.countersign.artefact;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.text.Normalizer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the file that a check's path means, and never one outside the workspace. Symlinks are
 * followed one by one, so that nothing outside is ever looked at, not even for its existence.
 */
public final class SafePaths {
    /** As many as Linux follows before it says ELOOP. */
    private static final int MAX_LINKS = 40;

    private SafePaths() {}

    /** What a path came to. */
    public sealed interface Resolved {
        /**
         * Something exists there.
         *
         * @param real absolute, inside the workspace, without any symlink in it
         */
        record Inside(Path real) implements Resolved {}

        /**
         * Nothing exists there.
         *
         * @param checked the path that was looked for, relative to the workspace root
         * @param caseVariant the same path where only letter case differs and that does exist; null
         *     when there is none
         */
        record Missing(String checked, @Nullable String caseVariant) implements Resolved {}

        /**
         * It is absolute or leads outside.
         *
         * @param checked the path as it was named, {@code \} read as {@code /}
         * @param why a predicate for people: "is absolute", "leaves the workspace", "leads outside
         *     the workspace through the symlink a/b"
         */
        record Escapes(String checked, String why) implements Resolved {}
    }

    /** A path that a check names, spelt as the workspace's own names are: in NFC, with slashes. */
    public static String plain(String path) {
        return Normalizer.normalize(path, Normalizer.Form.NFC).replace('\\', '/');
    }

    /**
     * Resolves a path that a check names, relative to the workspace's {@code cwd}; {@code \} reads
     * as {@code /}, and the text counts in NFC as the workspace's own names do. It may climb out of
     * {@code cwd} but not out of the workspace. A slash at the end changes nothing here.
     *
     * @throws UncheckedIOException when the disk fails
     */
    public static Resolved resolve(Workspace workspace, String path) {
        String checked = plain(path);
        if (checked.startsWith("/") || checked.matches("^[A-Za-z]:(/.*)?$")) {
            return new Resolved.Escapes(
                    checked, "is absolute; only paths inside the workspace are read");
        }
        try {
            return new Walk(workspace.root(), checked, false).from(workspace.cwd());
        } catch (InvalidPathException e) {
            return new Resolved.Missing(checked, null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the workspace", e);
        }
    }

    private static final class Walk {
        private final Path root;
        private final String checked;
        private final Deque<String> rest = new ArrayDeque<>();
        private Path at;
        private int links;
        private @Nullable Path lastLink;

        /** Whether this is a walk to a path that differs by case; it looks for no further one. */
        private final boolean isVariant;

        Walk(Path root, String checked, boolean isVariant) {
            this.root = root;
            this.isVariant = isVariant;
            this.checked = checked;
            this.at = root;
        }

        Resolved from(String cwd) throws IOException {
            push(checked);
            push(cwd);
            while (!rest.isEmpty()) {
                Resolved end = step(rest.pop());
                if (end != null) {
                    return end;
                }
            }
            return new Resolved.Inside(at);
        }

        /** Puts the segments of {@code path} in front of what is left to walk. */
        private void push(String path) {
            Arrays.asList(path.split("/")).reversed().forEach(rest::push);
        }

        private @Nullable Resolved step(String name) throws IOException {
            if (name.isEmpty() || name.equals(".")) {
                return null;
            }
            if (name.equals("..")) {
                if (at.equals(root)) {
                    return outside(lastLink);
                }
                at = Objects.requireNonNull(at.getParent(), "it is below the root");
                return null;
            }
            Path next = at.resolve(name);
            BasicFileAttributes attributes = canExist(name) ? attributes(next) : null;
            if (attributes == null || (!rest.isEmpty() && isLeaf(attributes))) {
                return missing(name);
            }
            if (attributes.isSymbolicLink()) {
                return follow(next);
            }
            at = next;
            return null;
        }

        /** No file system here has a longer name; asking for one is an error and not an answer. */
        private static boolean canExist(String name) {
            return name.getBytes(StandardCharsets.UTF_8).length <= WorkspacePath.MAX_SEGMENT_BYTES;
        }

        private static boolean isLeaf(BasicFileAttributes attributes) {
            return !attributes.isDirectory() && !attributes.isSymbolicLink();
        }

        private @Nullable Resolved follow(Path link) throws IOException {
            String target = Files.readSymbolicLink(link).toString();
            if (target.startsWith("/")) {
                return outside(link);
            }
            if (++links > MAX_LINKS) {
                return new Resolved.Missing(relative(link), null);
            }
            lastLink = link;
            push(target);
            return null;
        }

        private Resolved outside(@Nullable Path link) {
            String through = link == null ? "" : " through the symlink " + relative(link);
            return new Resolved.Escapes(checked, "leads outside the workspace" + through);
        }

        private Resolved missing(String name) {
            String left =
                    rest.stream()
                            .filter(segment -> !segment.isEmpty() && !segment.equals("."))
                            .collect(Collectors.joining("/"));
            String looked =
                    Stream.of(relative(at), name, left)
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining("/"));
            return new Resolved.Missing(looked, caseVariant(name, left));
        }

        private @Nullable String caseVariant(String name, String left) {
            if (isVariant || !Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
            try (DirectoryStream<Path> names = Files.newDirectoryStream(at)) {
                for (Path candidate : names) {
                    if (candidate.getFileName().toString().equalsIgnoreCase(name)) {
                        String variant = relative(candidate.resolve(left));
                        var walk = new Walk(root, variant, true);
                        if (walk.from("") instanceof Resolved.Inside) return variant;
                    }
                }
            } catch (IOException | DirectoryIteratorException e) {
                return null; // a directory that may not be listed gives no hint
            }
            return null;
        }

        private String relative(Path path) {
            return root.relativize(path).toString();
        }

        private static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
            try {
                return Files.readAttributes(
                        path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException | NotDirectoryException e) {
                return null;
            }
        }
    }
}
