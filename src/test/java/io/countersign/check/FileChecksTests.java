package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.artefact.Workspace;
import io.countersign.dod.Check;
import io.countersign.kernel.Cause;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

class FileChecksTests {
    @TempDir Path root;

    @BeforeEach
    void fill() throws IOException {
        Samples.write(root, "src/parser.ts", "export const a = 1;\n");
        Samples.write(root, "empty", "");
        Files.createDirectories(root.resolve("dir/sub"));
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc/hostname"));
        Files.createSymbolicLink(root.resolve("up"), Path.of("../elsewhere"));
        Files.createSymbolicLink(root.resolve("in"), Path.of("src/parser.ts"));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    }

    /** JUnit warns of every link that leads out of what it deletes. */
    @AfterEach
    void removeLinks() throws IOException {
        Files.delete(root.resolve("out"));
        Files.delete(root.resolve("up"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    src/parser.ts        | true  | false |
                    src\\parser.ts       | true  | false |
                    ./src/../empty       | true  | false |
                    empty                | true  | false |
                    in                   | true  | false |
                    dir                  | false | false | a directory, not a regular file: dir
                    dir/                 | true  | false |
                    src/parser.ts/       | false | false | a file, not a directory: src/parser.ts/
                    none                 | false | true  | file not found: none
                    none/                | false | true  | file not found: none
                    src/Parser.ts        | false | true  | (src/parser.ts differs only by case)
                    src/parser.ts/x      | false | true  | file not found: src/parser.ts/x
                    dangling             | false | false | file not found: nowhere
                    loop                 | false | false | file not found: loop
                    out                  | false | false | leads outside the workspace through the symlink out
                    up                   | false | false | leads outside
                    up/x                 | false | false | leads outside
                    ../x                 | false | false | leads outside
                    /etc/passwd          | false | false | /etc/passwd is absolute
                    C:\\Windows          | false | false | is absolute
                    """)
    void existsAndIsAbsent(String path, boolean exists, boolean absent, String reason) {
        Evaluation found =
                FileExistsCheck.evaluate(new Check.FileExists(path, 1), Samples.context(root));
        assertThat(found.outcome() == CheckOutcome.PASSED).isEqualTo(exists);
        if (reason != null) assertThat(found.reason()).contains(reason);
        Evaluation gone =
                FileAbsentCheck.evaluate(new Check.FileAbsent(path, 1), Samples.context(root));
        assertThat(gone.outcome() == CheckOutcome.PASSED).isEqualTo(absent);
        if (!absent) assertThat(gone.reason()).isNotBlank();
    }

    @Test
    void saysWhoIsToBlameForAPath() {
        assertThat(exists("../x").cause()).isEqualTo(Cause.DOD);
        assertThat(exists("out").cause()).isEqualTo(Cause.WORK);
        assertThat(exists("none").cause()).isEqualTo(Cause.WORK);
    }

    @Test
    void hintsAtRenamesDeletionsAndSubmodules() {
        Samples.write(root, ".gitmodules", "[submodule \"v\"]\n\tpath = vendor/lib\n\turl = x\n");
        ChangeSet changes =
                Samples.changed(
                        List.of(
                                new ChangedFile(
                                        "new.ts", ChangedFile.Status.RENAMED, "old.ts", null),
                                new ChangedFile("gone", ChangedFile.Status.DELETED, null, null)));
        CheckContext context = Samples.context(root, changes, Samples.policy());
        assertThat(reason("old.ts", context)).endsWith("(it was renamed to new.ts)");
        assertThat(reason("gone", context)).endsWith("(the change-set deletes it)");
        assertThat(reason("vendor/lib/x.js", context))
                .endsWith("(vendor/lib is a submodule that was not posted)");
        assertThat(reason("vendor/library", context)).endsWith("not found: vendor/library");
    }

    @Test
    void resolvesPathsFromTheWorkingDirectory() {
        var context =
                new CheckContext(
                        new Workspace(root, "dir"),
                        Samples.UNKNOWN,
                        Samples.policy(),
                        null,
                        Instant.MAX);
        assertThat(reason("none", context)).isEqualTo("file not found: dir/none");
        assertThat(FileExistsCheck.evaluate(new Check.FileExists("../empty", 1), context))
                .isEqualTo(Evaluation.PASSED);
        assertThat(FileExistsCheck.evaluate(new Check.FileExists("../../x", 1), context).reason())
                .contains("outside");
    }

    @Test
    @Timeout(20)
    void neverOpensAPipe() throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
        assertThat(exists("pipe").reason()).isEqualTo("not a regular file: pipe");
        assertThat(contains("pipe", "x", null).reason()).isEqualTo("not a regular file: pipe");
        assertThat(Deliverable.fault("./pipe", new Workspace(root, ""))).contains("pipe");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    export const       | | true
                    Export             | | false
                    a = 1;             | | true
                                       | ^export         | true
                                       | ^const          | false
                                       | (?i)EXPORT      | true
                                       | a\\s*=\\s*\\d;$ | false
                                       | (?m)a\\s*=\\s*\\d;$ | true
                    """)
    void searchesForTextOrAPattern(String text, String matches, boolean found) {
        assertThat(contains("src/parser.ts", text, matches).outcome() == CheckOutcome.PASSED)
                .isEqualTo(found);
    }

    @Test
    void saysWhatAFileLacks() {
        assertThat(contains("src/parser.ts", "let", null).reason())
                .isEqualTo("src/parser.ts does not contain \"let\"");
        assertThat(contains("src/parser.ts", null, "le+t").reason())
                .isEqualTo("src/parser.ts does not match le+t");
        assertThat(contains("dir", "x", null).reason()).startsWith("a directory");
        assertThat(contains("empty", "x", null).outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(contains("out", "x", null).reason()).contains("outside");
    }

    @ParameterizedTest
    @CsvSource({
        "(",
        "a{1001}",
        "(?=x)",
        "(a)\\1",
        "[z-a]",
        "((((a{100}){100}){100}){100}){100}",
        "(a{1000}){1000}",
        "(?:[^}]{99}x){900}",
        "(((((a{1}){99}){99}))){99}"
    })
    void holdsTheAuthorLiableForABadPattern(String pattern) {
        Evaluation evaluation = contains("src/parser.ts", null, pattern);
        assertThat(evaluation.cause()).isEqualTo(Cause.DOD);
        assertThat(evaluation.reason()).contains("RE2");
    }

    @ParameterizedTest
    @CsvSource({"a{1000}", "[{1000}]{9}", "\\Q((a{100}){100}){100}\\E", "x{,5}", "(ab|c{3}){50}"})
    void compilesPatternsThatOnlyLookLarge(String pattern) throws LinearPattern.BadPattern {
        assertThat(LinearPattern.compile(pattern)).isNotNull();
    }

    @Test
    @Timeout(30)
    void takesLinearTimeForAnyPattern() {
        Samples.write(root, "a", "a".repeat(1 << 20));
        assertThat(contains("a", null, "(a*)*b").outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(contains("a", null, "((a?){30}){30}b").outcome())
                .isNotEqualTo(CheckOutcome.PASSED);
    }

    @Test
    void readsTheEncodingsThatAMarkTells() throws IOException {
        Files.write(root.resolve("le"), "\uFEFFhéllo".getBytes(StandardCharsets.UTF_16LE));
        Files.write(root.resolve("be"), "\uFEFFhéllo".getBytes(StandardCharsets.UTF_16BE));
        Files.write(root.resolve("u8"), "\uFEFFhéllo".getBytes(StandardCharsets.UTF_8));
        Files.write(root.resolve("bad"), new byte[] {'h', (byte) 0xff, 'i'});
        for (String file : List.of("le", "be", "u8")) {
            assertThat(contains(file, null, "^héllo$")).isEqualTo(Evaluation.PASSED);
        }
        assertThat(contains("bad", "i", null)).isEqualTo(Evaluation.PASSED);
    }

    @Test
    void searchesNoFileBeyondItsBound() {
        Samples.write(root, "big", "x".repeat(FileContainsCheck.MAX_BYTES + 1));
        assertThat(contains("big", "x", null).reason()).isEqualTo("big is larger than 16 MiB");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    -                       | -
                    a parser with docs      | -
                    parser                  | -
                    src/parser.ts           | -
                    in.txt                  | deliverable not found: in.txt
                    src/                    | -
                    ./src                   | -
                    dir/sub/                | deliverable not found: dir/sub/ (the directory is empty)
                    src/parser.ts/          | deliverable not found: src/parser.ts/ (a file, not a directory)
                    ./empty                 | deliverable not found: ./empty (the file is empty)
                    src/none.ts             | deliverable not found: src/none.ts
                    src/PARSER.ts           | deliverable not found: src/PARSER.ts (src/parser.ts differs only by case)
                    ./out                   | deliverable not found: ./out leads outside the workspace through the symlink out
                    /etc/passwd             | deliverable not found: /etc/passwd is absolute; only paths inside the workspace are read
                    """)
    void asksForADeliverableThatIsThereAndNotEmpty(String deliverable, String fault) {
        assertThat(Deliverable.fault(deliverable, new Workspace(root, ""))).isEqualTo(fault);
    }

    @Test
    void missesADeliverableWithoutAWorkspace() {
        assertThat(Deliverable.fault("a.txt", null)).startsWith("deliverable not found: a.txt");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "src/**, false, false",
        "'src/**,docs/**', true, false",
        "**, true, false",
        "test/**, false, true",
        "docs/old.md, false, false"
    })
    void readsTheChangeSet(String paths, boolean only, boolean untouched) {
        ChangeSet changes =
                Samples.changed(
                        List.of(
                                new ChangedFile("src/a.ts", ChangedFile.Status.ADDED, null, null),
                                new ChangedFile(
                                        "docs/new.md",
                                        ChangedFile.Status.RENAMED,
                                        "docs/old.md",
                                        null)));
        assertThat(
                        OnlyChangedCheck.evaluate(new Check.OnlyChanged(paths, 1), changes)
                                        .outcome()
                                == CheckOutcome.PASSED)
                .isEqualTo(only);
        assertThat(
                        UnchangedCheck.evaluate(new Check.Unchanged(paths, 1), changes).outcome()
                                == CheckOutcome.PASSED)
                .isEqualTo(untouched);
    }

    @Test
    void namesWhatChanged() {
        ChangeSet changes = Samples.changed("a", "b", "c", "d", "e", "f", "src/x");
        assertThat(OnlyChangedCheck.evaluate(new Check.OnlyChanged("src/**", 1), changes).reason())
                .isEqualTo("changed outside src/**: a, b, c, d, e and 1 more");
        assertThat(UnchangedCheck.evaluate(new Check.Unchanged("src/**", 1), changes).reason())
                .isEqualTo("changed although src/** must not: src/x");
    }

    @Test
    void neverTakesAnUnknownChangeSetForNoChange() {
        assertThat(
                        OnlyChangedCheck.evaluate(new Check.OnlyChanged("**", 1), Samples.UNKNOWN)
                                .reason())
                .contains("unknown");
        assertThat(UnchangedCheck.evaluate(new Check.Unchanged("x", 1), Samples.UNKNOWN).reason())
                .contains("unknown");
    }

    @Test
    void holdsTheAuthorLiableForABadGlob() {
        ChangeSet none = Samples.changed();
        assertThat(UnchangedCheck.evaluate(new Check.Unchanged("/src/**", 1), none).cause())
                .isEqualTo(Cause.DOD);
        assertThat(OnlyChangedCheck.evaluate(new Check.OnlyChanged("{a", 1), none).cause())
                .isEqualTo(Cause.DOD);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ./x/../src/parser.ts  | dod
                    x/y/../../empty       | dod
                    dir/../none           | -
                    x//src/parser.ts      | -
                    x/./none              | -
                    *.ts                  | dod
                    src/**                | dod
                    src/parser.t?         | dod
                    {a,b}.txt             | dod
                    app/[id]/page.tsx     | -
                    {{cookiecutter.x}}/a  | -
                    """)
    void takesNoPathForAbsentThatCanNameNothing(String path, String cause) {
        Evaluation absent =
                FileAbsentCheck.evaluate(new Check.FileAbsent(path, 1), Samples.context(root));
        assertThat(absent.outcome() == CheckOutcome.PASSED).isEqualTo(cause.equals("-"));
        if (!cause.equals("-")) assertThat(absent.cause()).isEqualTo(Cause.DOD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "caf\u00e9"})
    void takesANameThatIsTooLongForAbsent(String part) {
        String path = "dir/" + part.repeat(300) + "/b";
        assertThat(FileAbsentCheck.evaluate(new Check.FileAbsent(path, 1), Samples.context(root)))
                .isEqualTo(Evaluation.PASSED);
        assertThat(exists(path).cause()).isEqualTo(Cause.WORK);
        assertThat(Deliverable.fault(path, new Workspace(root, "")))
                .startsWith("deliverable not found: ");
    }

    @ParameterizedTest
    @CsvSource({"---------, cannot be read", "-wx------, file not found: locked/none"})
    void blamesTheWorkForADirectoryThatNobodyMayRead(String mode, String reason)
            throws IOException {
        Path locked = Files.createDirectory(root.resolve("locked"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString(mode));
        try {
            if (Files.isReadable(locked)) {
                // Root may read everything: then there is just no such file.
                assertThat(exists("locked/none").reason()).contains("file not found");
                return;
            }
            assertThat(exists("locked/none").cause()).isEqualTo(Cause.WORK);
            assertThat(exists("locked/none").reason()).contains(reason);
            assertThat(Deliverable.fault("locked/", new Workspace(root, "")))
                    .contains("cannot be read");
        } finally {
            Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cafe\u0301.txt", "caf\u00e9.txt", "./cafe\u0301.txt"})
    void findsAFileHoweverItsNameIsComposed(String path) {
        Samples.write(root, "caf\u00e9.txt", "x");
        assertThat(exists(path)).isEqualTo(Evaluation.PASSED);
        assertThat(
                        FileAbsentCheck.evaluate(
                                        new Check.FileAbsent(path, 1), Samples.context(root))
                                .outcome())
                .isEqualTo(CheckOutcome.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a?", "(?:a|)", "a*"})
    void blamesTheDodForAPatternThatIsTooDeepToBeMatched(String part) {
        Samples.write(root, "a.txt", "a".repeat(100_000));
        Evaluation evaluation = contains("a.txt", null, part.repeat(6_600 / part.length() * 2));
        assertThat(evaluation.outcome()).isNotEqualTo(CheckOutcome.ERRORED);
        assertThat(evaluation.cause()).isNotEqualTo(Cause.INFRASTRUCTURE);
    }

    @Test
    void takesAPathOfManySlashesInShortTime() {
        String path = "none" + "/".repeat(16_000) + "x" + "/".repeat(16_000);
        assertThat(FileAbsentCheck.evaluate(new Check.FileAbsent(path, 1), Samples.context(root)))
                .isEqualTo(Evaluation.PASSED);
    }

    private Evaluation exists(String path) {
        return FileExistsCheck.evaluate(new Check.FileExists(path, 1), Samples.context(root));
    }

    private static String reason(String path, CheckContext context) {
        return String.valueOf(
                FileExistsCheck.evaluate(new Check.FileExists(path, 1), context).reason());
    }

    private Evaluation contains(String path, String text, String matches) {
        Watch watch = new Watch(InstantSource.system(), Instant.now().plusSeconds(3));
        try {
            return FileContainsCheck.evaluate(
                    new Check.FileContains(path, text, matches, 1), Samples.context(root), watch);
        } catch (Watch.OutOfTime e) {
            return Evaluation.not(CheckOutcome.TIMED_OUT, "out of time", Cause.WORK);
        }
    }
}
