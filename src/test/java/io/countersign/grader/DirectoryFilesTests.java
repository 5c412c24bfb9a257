package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.kernel.Sha256;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

class DirectoryFilesTests {
    @TempDir Path outside;
    @TempDir Path root;

    @BeforeEach
    void someFiles() throws IOException {
        Files.createDirectories(root.resolve("src"));
        Files.createDirectories(root.resolve(".git"));
        Files.writeString(root.resolve("src/a.ts"), "let a;\n");
        Files.writeString(root.resolve(".git/config"), "x");
        Files.writeString(outside.resolve("secret"), "the host's own");
        Files.createSymbolicLink(root.resolve("link"), outside.resolve("secret"));
        Files.createSymbolicLink(root.resolve("out"), outside);
    }

    private FrozenFiles files(ChangedFile... changed) {
        return FrozenFiles.of(root, new ChangeSet.Known(List.of(changed), Sha256.of("x")));
    }

    @Test
    void listsFilesInOrderWithoutTheRepositoryItself() throws IOException {
        assertThat(files().list())
                .extracting(FrozenFiles.Entry::path)
                .containsExactly("link", "out", "src/a.ts");
    }

    @Test
    void readsALinkAsItsTarget() throws IOException {
        assertThat(files().find("link"))
                .hasValueSatisfying(entry -> assertThat(entry.link()).isTrue());
        assertThat(new String(files().read("link", 1_000)))
                .isEqualTo(outside.resolve("secret").toString());
    }

    @Test
    void neverLeavesTheDirectory() throws IOException {
        for (String path :
                List.of(
                        "out/secret",
                        "../x",
                        "/etc/passwd",
                        "src/../../x",
                        "",
                        ".",
                        "src",
                        "a\0b")) {
            assertThat(files().find(path)).as(path).isEmpty();
            assertThatExceptionOfType(NoSuchFileException.class)
                    .isThrownBy(() -> files().read(path, 10));
        }
    }

    @Test
    void readsNoMoreThanAsked() throws IOException {
        assertThat(new String(files().read("src/a.ts", 3))).isEqualTo("let");
    }

    @Test
    void refusesAChangedFileThatACheckRewrote() throws IOException {
        Sha256 frozen = Sha256.of("let a;\n");
        ChangedFile changed =
                new ChangedFile("src/a.ts", ChangedFile.Status.MODIFIED, null, frozen);
        assertThat(new String(files(changed).read("src/a.ts", 3))).isEqualTo("let");

        Files.writeString(root.resolve("src/a.ts"), "let a; // nicer now\n");

        assertThatExceptionOfType(FrozenFiles.NoLongerFrozen.class)
                .isThrownBy(() -> files(changed).read("src/a.ts", 3));
    }
}
