package io.countersign.check;

import io.countersign.artefact.Workspace;
import io.countersign.check.WorkspaceFiles.Found;
import io.countersign.check.report.JunitXml;
import io.countersign.check.report.JunitXml.Reading;
import io.countersign.check.report.Tally;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the JUnit XML that a run writes: what was there before it, unchanged or older than it, is
 * none of its doing. Symlinks are not followed.
 */
final class ReportFiles {
    /** Where build tools write reports, relative to the working directory. */
    private static final String USUAL_PLACES =
            "**/target/surefire-reports/TEST-*.xml,**/target/failsafe-reports/TEST-*.xml,"
                    + "**/build/test-results/**/*.xml,**/test-results/**/*.xml,"
                    + "**/TestResults/**/*.xml,**/junit.xml,**/test-results.xml,"
                    + "**/reports/junit/**/*.xml,**/target/nextest/**/*.xml";

    private static final Set<String> SKIPPED_DIRECTORIES =
            Set.of("node_modules", ".git", ".venv", "venv", "site-packages");

    private static final int MAX_DEPTH = 24;
    private static final int MAX_VISITED = 300_000;
    private static final int MAX_REPORTS = 5_000;
    private static final long MAX_TOTAL_BYTES = 256L << 20;

    /** File systems keep times as coarsely as this. */
    private static final long SLACK_MILLIS = 2_000;

    private final CheckContext context;
    private final @Nullable Workspace workspace;
    private final @Nullable String literal;
    private final Globs places;
    private final Watch watch;
    private final Map<Path, Stamp> before;
    private final FileTime started;

    /** What changes whenever a file is written. */
    private record Stamp(FileTime modified, long size, @Nullable Object key, Object changed) {}

    /** What the reports of a run came to. */
    sealed interface Written {
        /** No report was written. */
        record None() implements Written {}

        /**
         * @param skippedIn files that skipped tests are in, where reports name them
         */
        record Reports(Tally tally, Set<String> skippedIn) implements Written {}

        /** A report cannot be believed; {@code why} is a sentence without its end. */
        record Broken(String why) implements Written {}
    }

    private ReportFiles(CheckContext context, @Nullable String literal, Globs places, Watch watch) {
        this.watch = watch;
        this.context = context;
        this.workspace = context.workspace();
        this.literal = literal;
        this.places = places;
        this.before = stamps();
        this.started = now();
    }

    /** A report is named in a way that it cannot be looked for. */
    static final class BadReport extends Exception {
        private static final long serialVersionUID = 1L;

        BadReport(String message) {
            super(message);
        }
    }

    /**
     * Looks at what is there before the run.
     *
     * @param report a file, a directory of reports or a glob, relative to the working directory;
     *     null for the usual places
     * @param watch looked at for every file, before the run and after it
     * @throws BadReport when it is absolute or leads outside
     */
    static ReportFiles beforeRun(CheckContext context, @Nullable String report, Watch watch)
            throws BadReport {
        try {
            if (report == null) {
                return new ReportFiles(context, null, Globs.read(USUAL_PLACES), watch);
            }
            if (report.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0)) {
                return new ReportFiles(context, null, Globs.read(report), watch);
            }
            if (WorkspaceFiles.find(context, report) instanceof Found.Outside outside) {
                throw new BadReport("the report " + outside.checked() + " " + outside.why());
            }
            return new ReportFiles(context, report, Globs.read("**/*.xml"), watch);
        } catch (Globs.BadGlob e) {
            throw new BadReport("the report " + e.getMessage());
        }
    }

    private static FileTime now() {
        try {
            Path probe = Files.createTempFile("countersign", ".time");
            try {
                return Files.getLastModifiedTime(probe);
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to the temporary directory", e);
        }
    }

    private Map<Path, Stamp> stamps() {
        Map<Path, Stamp> stamps = new HashMap<>();
        if (workspace == null) return stamps;
        try {
            if (literal == null) {
                walk(workspace.directory(), stamps);
            } else {
                switch (WorkspaceFiles.find(context, literal)) {
                    case Found.File(Path real, long size) -> {
                        if (isItself(real, literal)) stamps.put(real, stamp(real));
                    }
                    case Found.Directory(Path real) -> {
                        if (isItself(real, literal)) walk(real, stamps);
                    }
                    case Found.Special special -> {}
                    case Found.Nothing nothing -> {}
                    case Found.Outside outside -> {}
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the workspace", e);
        }
        return stamps;
    }

    /** A link that the run makes may lead to a report that it did not write. */
    private boolean isItself(Path real, String path) {
        return WorkspaceFiles.find(context, ".") instanceof Found.Directory(Path cwd)
                && cwd.resolve(path.replace('\\', '/')).normalize().equals(real);
    }

    private void walk(Path directory, Map<Path, Stamp> stamps) throws IOException {
        Files.walkFileTree(directory, Set.of(), MAX_DEPTH, new Finder(stamps, directory));
    }

    private final class Finder extends SimpleFileVisitor<Path> {
        private final Map<Path, Stamp> found;
        private final Path in;
        private int visited;

        Finder(Map<Path, Stamp> found, Path in) {
            this.found = found;
            this.in = in;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return SKIPPED_DIRECTORIES.contains(directory.getFileName().toString())
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            watch.tick();
            if (++visited > MAX_VISITED) return FileVisitResult.TERMINATE;
            String path = in.relativize(file).toString();
            if (attributes.isRegularFile() && places.match(path) != null) {
                found.put(file, stamp(file));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }

    private static Stamp stamp(Path file) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Object changed =
                file.getFileSystem().supportedFileAttributeViews().contains("unix")
                        ? Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
                        : attributes.creationTime();
        return new Stamp(
                attributes.lastModifiedTime(), attributes.size(), attributes.fileKey(), changed);
    }

    /** Reads what the run wrote. */
    Written afterRun() {
        if (literal != null
                && WorkspaceFiles.find(context, literal) instanceof Found.Outside outside) {
            return new Written.Broken("the report " + outside.checked() + " " + outside.why());
        }
        List<Path> fresh = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<Path, Stamp> file : stamps().entrySet()) {
            Stamp stamp = file.getValue();
            boolean stale = stamp.modified().toMillis() < started.toMillis() - SLACK_MILLIS;
            if (stale || stamp.equals(before.get(file.getKey()))) continue;
            fresh.add(file.getKey());
            bytes += stamp.size();
        }
        if (fresh.size() > MAX_REPORTS || bytes > MAX_TOTAL_BYTES) {
            return new Written.Broken("the test reports are too many or too large to read");
        }
        fresh.sort(null);
        return read(fresh);
    }

    private Written read(List<Path> files) {
        Tally sum = null;
        Set<String> skippedIn = new TreeSet<>();
        Set<Sha256> seen = new HashSet<>();
        for (Path file : files) {
            watch.look();
            switch (read(file)) {
                case Reading.Report(Tally tally, Set<String> skipped, Sha256 tests) -> {
                    // The same tests once more; a suite's own faults stand beside them.
                    if (!seen.add(tests) && !tally.failing()) continue;
                    sum = sum == null ? tally : sum.plus(tally);
                    skippedIn.addAll(skipped);
                }
                case Reading.Broken(String why) -> {
                    return new Written.Broken(
                            "the test report " + name(file) + " cannot be read: " + why);
                }
                case Reading.Foreign foreign -> {}
            }
        }
        return sum == null ? new Written.None() : new Written.Reports(sum, skippedIn);
    }

    private static Reading read(Path file) {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return JunitXml.read(in);
        } catch (IOException e) {
            return new Reading.Broken("the disk says " + e.getClass().getSimpleName());
        }
    }

    private String name(Path file) {
        return workspace == null
                ? file.getFileName().toString()
                : workspace.root().relativize(file).toString();
    }
}
