package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFilePermissions;

class DirectoryDeletionTests {
    @TempDir Path directory;

    @Test
    void deletesWhatIsReadOnlyUnreadableOrHidden() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run"));
        Path locked = Files.createDirectories(run.resolve("locked/deeper/still"));
        Files.writeString(locked.resolve("x"), "x");
        Files.writeString(run.resolve("\n -rf\u00e9"), "x");
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(
                run.resolve("locked"), PosixFilePermissions.fromString("r-xr-xr-x"));
        DirectoryDeletion.delete(run);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void followsNoSymlink() throws IOException {
        Path kept = Files.createDirectory(directory.resolve("kept"));
        Files.writeString(kept.resolve("x"), "x");
        Path run = Files.createDirectories(directory.resolve("run/sub"));
        Files.createSymbolicLink(run.resolve("link"), kept);
        Files.createSymbolicLink(directory.resolve("run/up"), Path.of(".."));
        DirectoryDeletion.delete(directory.resolve("run"));
        assertThat(kept.resolve("x")).exists();
        assertThat(directory.resolve("run")).doesNotExist();
    }

    /** As a process can make it that changes into each directory before it makes the next. */
    @Test
    void deletesTreesThatNoPathReaches() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run"));
        for (int i = 0; i < 60; i++) {
            // Prepends a level: what was there moves below a new directory of the same name.
            Path level = Files.createDirectory(directory.resolve("level"));
            Files.writeString(level.resolve("file"), "x");
            Files.move(run, level.resolve("d".repeat(200)));
            Files.move(level, run);
        }
        try (var stream = Files.newDirectoryStream(run)) {
            assertThat(stream).isInstanceOf(SecureDirectoryStream.class);
        }
        DirectoryDeletion.delete(run);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void deletesManyEntriesAndWhatIsGoneAlready() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run"));
        for (int i = 0; i < 5000; i++) {
            Files.createFile(run.resolve("file" + i));
        }
        for (int i = 0; i < 300; i++) {
            Files.createDirectories(run.resolve("dir" + i + "/sub"));
        }
        DirectoryDeletion.delete(run);
        DirectoryDeletion.delete(run);
        assertThat(directory).isEmptyDirectory();
    }
}
