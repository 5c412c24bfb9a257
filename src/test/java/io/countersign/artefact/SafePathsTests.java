package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.SafePaths.Resolved;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class SafePathsTests {
    @TempDir Path directory;
    private Path root;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectories(directory.toRealPath().resolve("ws"));
        Files.createDirectories(root.resolve("packages/core/src"));
        Files.createDirectories(root.resolve("..cache"));
        Files.writeString(root.resolve("..cache/index.json"), "{}");
        Files.writeString(root.resolve("README.md"), "x");
        Files.writeString(root.resolve("packages/core/src/a.ts"), "x");
        Files.writeString(directory.resolve("secret"), "x");
        link("out", directory.toRealPath().resolve("secret").toString());
        link("up", "../secret");
        link("updir", "..");
        link("chain", "packages/hop/secret");
        link("packages/hop", "../../");
        link("core", "packages/core");
        link("packages/core/top", "../../README.md");
        link("loop", "loop");
        link("dangling", "packages/none");
        link("self", "../ws/README.md");
    }

    private void link(String path, String target) throws IOException {
        Files.createSymbolicLink(root.resolve(path), Path.of(target));
    }

    private Resolved resolve(String cwd, String path) {
        return SafePaths.resolve(new Workspace(root, cwd), path);
    }

    @ParameterizedTest
    @CsvSource({
        "'', README.md, README.md",
        "'', ./README.md, README.md",
        "'', packages//core/./src/a.ts, packages/core/src/a.ts",
        "'', packages\\core\\src\\a.ts, packages/core/src/a.ts",
        "'', packages/core/src/, packages/core/src",
        "'', packages/../README.md, README.md",
        "'', ., ''",
        "'', core/src/a.ts, packages/core/src/a.ts",
        "'', core/top, README.md",
        "'', core/../hop, ESCAPES",
        "'', ..cache/index.json, ..cache/index.json",
        "packages/core, src/a.ts, packages/core/src/a.ts",
        "packages/core, ../../README.md, README.md",
        "core, ../core/top, README.md",
        "packages/core, ../../../secret, ESCAPES",
        "'', ../ws/README.md, ESCAPES",
        "'', self, ESCAPES",
        "'', out, ESCAPES",
        "'', up, ESCAPES",
        "'', updir/secret, ESCAPES",
        "'', updir/ws/README.md, ESCAPES",
        "'', chain, ESCAPES",
        "'', /etc/passwd, ESCAPES",
        "'', \\etc\\passwd, ESCAPES",
        "'', C:\\Windows\\x, ESCAPES",
        "'', c:/x, ESCAPES",
        "'', ../../../../etc/passwd, ESCAPES",
        "'', none, MISSING",
        "'', loop, MISSING",
        "'', dangling, MISSING",
        "'', README.md/x, MISSING",
        "'', none/../../../etc/passwd, MISSING",
        "'', a:b, MISSING",
    })
    void resolves(String cwd, String path, String expected) {
        Resolved resolved = resolve(cwd, path);
        switch (expected) {
            case "ESCAPES" -> assertThat(resolved).isInstanceOf(Resolved.Escapes.class);
            case "MISSING" -> assertThat(resolved).isInstanceOf(Resolved.Missing.class);
            default ->
                    assertThat(resolved)
                            .isEqualTo(new Resolved.Inside(root.resolve(expected).normalize()));
        }
    }

    @Test
    void saysWhatWasCheckedAndHowItLeft() {
        assertThat(resolve("", "\\etc\\passwd"))
                .isEqualTo(
                        new Resolved.Escapes(
                                "/etc/passwd",
                                "is absolute; only paths inside the workspace are read"));
        assertThat(resolve("", "../x"))
                .isEqualTo(new Resolved.Escapes("../x", "leads outside the workspace"));
        assertThat(resolve("", "chain"))
                .isEqualTo(
                        new Resolved.Escapes(
                                "chain",
                                "leads outside the workspace through the symlink packages/hop"));
        assertThat(resolve("packages/core", "src/b.ts"))
                .isEqualTo(new Resolved.Missing("packages/core/src/b.ts", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Packages/../../secret",
                "Packages//secret",
                "UPDIR/secret",
                "Out",
                "Packages/../UPDIR/secret"
            })
    void looksForNoVariantOutside(String path) {
        assertThat(resolve("", path))
                .isInstanceOfSatisfying(
                        Resolved.Missing.class,
                        missing -> assertThat(missing.caseVariant()).isNull());
    }

    @Test
    void readsAPathInNfc() throws IOException {
        Path file = Files.writeString(root.resolve("caf\u00e9"), "x");
        assertThat(resolve("", "cafe\u0301")).isEqualTo(new Resolved.Inside(file));
    }

    @Test
    void namesAFileThatDiffersOnlyByCase() {
        assertThat(resolve("packages", "Core/src/a.ts"))
                .isEqualTo(
                        new Resolved.Missing("packages/Core/src/a.ts", "packages/core/src/a.ts"));
        assertThat(resolve("", "readme.MD"))
                .isEqualTo(new Resolved.Missing("readme.MD", "README.md"));
        assertThat(resolve("packages", "Core/src/b.ts"))
                .isEqualTo(new Resolved.Missing("packages/Core/src/b.ts", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "a\ud800b"})
    void whatNoFileSystemCanNameIsMissing(String path) {
        assertThat(resolve("", path)).isInstanceOf(Resolved.Missing.class);
    }
}
