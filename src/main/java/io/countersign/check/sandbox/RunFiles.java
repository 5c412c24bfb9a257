package io.countersign.check.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one run says about itself, in files that end with it. */
final class RunFiles implements AutoCloseable {
    /** The command's user may be able to write into the note: never read all of it. */
    private static final int MAX_READ = 4096;

    private static final Pattern CHILD = Pattern.compile("\"child-pid\": (\\d{1,18})");
    private static final Pattern EXIT = Pattern.compile("\"exit-code\": (\\d{1,3})");
    private static final String SIGNAL = "setsid: child ";

    private final Path directory;
    private final long number;

    RunFiles(Path directory, long number) {
        this.directory = directory;
        this.number = number;
    }

    /** Tells this run from all others. */
    long number() {
        return number;
    }

    /** What bubblewrap writes from outside the sandbox, out of the command's reach. */
    Path status() {
        return directory.resolve(number + "-status");
    }

    /** What our own tools say; within reach of a hostile command. */
    Path note() {
        return directory.resolve(number + "-note");
    }

    /** A directory for HOME and TMPDIR where the backend has no file system of its own. */
    Path home() {
        return directory.resolve(number + "-home");
    }

    /** The first process inside the sandbox, once there is one. */
    OptionalLong firstProcess() {
        Matcher matcher = CHILD.matcher(read(status()));
        return matcher.find()
                ? OptionalLong.of(Long.parseLong(matcher.group(1)))
                : OptionalLong.empty();
    }

    /** The status of a command that really ran inside; empty when none did, or it was killed. */
    OptionalInt exitCode() {
        Matcher matcher = EXIT.matcher(read(status()));
        return matcher.find()
                ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
                : OptionalInt.empty();
    }

    boolean started() {
        return read(note()).startsWith("started");
    }

    /** Whether a signal ended the command, so that its status is the signal's number. */
    boolean signalled() {
        return read(note()).lines().anyMatch(line -> line.startsWith(SIGNAL));
    }

    /** The first line that our tools said, for people. */
    String complaint() {
        return read(note())
                .lines()
                .filter(line -> !line.equals("started"))
                .findFirst()
                .orElse("it gave no reason");
    }

    private static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_READ), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        for (Path file : new Path[] {status(), note()}) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // The control directory is deleted as a whole at the end.
            }
        }
        if (Files.isDirectory(home())) ControlDirectory.deleteTree(home());
    }
}
