package io.countersign.artefact;

import static io.countersign.artefact.Packing.add;
import static io.countersign.artefact.Packing.bytes;
import static io.countersign.artefact.Packing.gzip;
import static io.countersign.artefact.Packing.zip;
import static io.countersign.artefact.Packing.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/** One tampered archive per line, with the code and the words that it is refused with. */
class ArchiveRefusalTests {
    private static final ProblemCode ESCAPES = ProblemCode.PATH_ESCAPES;
    private static final ProblemCode INVALID = ProblemCode.PATH_INVALID;
    private static final ProblemCode UNSAFE = ProblemCode.ARCHIVE_UNSAFE;
    private static final ProblemCode UNREADABLE = ProblemCode.ARCHIVE_UNREADABLE;
    private static final ProblemCode TOO_LARGE = ProblemCode.ARCHIVE_TOO_LARGE;

    @TempDir Path scratch;

    private static RawTar tar() {
        return new RawTar().file("good.txt", "x\n");
    }

    private static Arguments refused(
            String name, ProblemCode code, String message, Supplier<byte[]> archive) {
        return argumentSet(name, code, message, archive);
    }

    static Stream<Arguments> paths() {
        return Stream.of(
                refused(
                        "absolute",
                        ESCAPES,
                        "\"/etc/x\" is absolute",
                        () -> tar().file("/etc/x", "").end()),
                refused(
                        "absolute in pax",
                        ESCAPES,
                        "\"/etc/x\" is absolute",
                        () -> tar().pax("path=/etc/x").file("x", "").end()),
                refused(
                        "absolute in a GNU long name",
                        ESCAPES,
                        "\"/etc/x\" is absolute",
                        () -> tar().longName('L', "/etc/x").file("x", "").end()),
                refused(
                        "parent first",
                        ESCAPES,
                        "\"../x\" has a .. segment",
                        () -> tar().file("../x", "").end()),
                refused(
                        "parent behind ./",
                        ESCAPES,
                        "\"./../x\" has a .. segment",
                        () -> tar().file("./../x", "").end()),
                refused(
                        "parent inside",
                        ESCAPES,
                        "\"a/../../x\" has a .. segment",
                        () -> tar().file("a/../../x", "").end()),
                refused(
                        "parent as a directory",
                        ESCAPES,
                        "\"../\" has a .. segment",
                        () -> tar().directory("../", 0755).end()),
                refused(
                        "parent by the ustar prefix",
                        ESCAPES,
                        "\"../x\" has a .. segment",
                        () -> tar().raw(prefixed("..", "x")).end()),
                refused(
                        "drive letter",
                        ESCAPES,
                        "\"C:/x\" begins with a drive letter",
                        () -> tar().file("C:/x", "").end()),
                refused(
                        "backslash",
                        INVALID,
                        "\"a\\x\" has a backslash",
                        () -> tar().file("a\\x", "").end()),
                refused(
                        "NUL",
                        INVALID,
                        "has a NUL character",
                        () -> tar().pax("path=a\0b").file("x", "").end()),
                refused(
                        "NUL in a GNU long name",
                        INVALID,
                        "has a NUL character",
                        () -> tar().longName('L', "a\0b").file("x", "").end()),
                refused(
                        "dot inside",
                        INVALID,
                        "\"a/./x\" has a . segment",
                        () -> tar().file("a/./x", "").end()),
                refused(
                        "empty segment",
                        INVALID,
                        "has an empty segment",
                        () -> tar().file("a//x", "").end()),
                refused("no name", INVALID, "is empty", () -> tar().file("", "").end()),
                refused(
                        "not NFC",
                        ProblemCode.PATH_NOT_NFC,
                        "\"cafe\u0301\" is not in Unicode NFC",
                        () -> tar().file("cafe\u0301", "").end()),
                refused(
                        "the same after NFC",
                        ProblemCode.PATH_NOT_NFC,
                        "\"cafe\u0301\" is not in Unicode NFC",
                        () -> tar().file("caf\u00e9", "").file("cafe\u0301", "").end()),
                refused(
                        "not UTF-8",
                        UNREADABLE,
                        "a name is not UTF-8",
                        () -> tar().raw(latin1Name()).end()),
                refused(
                        "twice",
                        ProblemCode.PATH_DUPLICATE,
                        "\"good.txt\" is in the archive twice",
                        () -> tar().file("good.txt", "").end()),
                refused(
                        "twice, once with ./",
                        ProblemCode.PATH_DUPLICATE,
                        "\"good.txt\" is in the archive twice",
                        () -> tar().file("./good.txt", "").end()),
                refused(
                        "a directory twice",
                        ProblemCode.PATH_DUPLICATE,
                        "\"d\" is in the archive twice",
                        () -> tar().directory("d/", 0755).directory("d", 0700).end()),
                refused(
                        "file and directory",
                        ProblemCode.PATH_DUPLICATE,
                        "\"good.txt\" is in the archive twice",
                        () -> tar().directory("good.txt/", 0755).end()),
                refused(
                        "below a file",
                        UNSAFE,
                        "\"good.txt/x\" lies below good.txt, a file",
                        () -> tar().file("good.txt/x", "").end()),
                refused(
                        "file where a directory is",
                        UNSAFE,
                        "\"a\" is no directory, but other entries lie below it",
                        () -> tar().file("a/x", "").file("a", "").end()),
                refused(
                        "zip: absolute",
                        ESCAPES,
                        "\"/x\" is absolute",
                        () -> zip(z -> add(z, "/x", 0, bytes("x")))),
                refused(
                        "zip: parent",
                        ESCAPES,
                        "\"a/../../x\" has a .. segment",
                        () -> zip(z -> add(z, "a/../../x", 0, bytes("x")))),
                refused(
                        "zip: backslash",
                        INVALID,
                        "has a backslash",
                        () -> replaced(zip(z -> add(z, "aQ..Qx", 0, bytes("x"))), 'Q', '\\')),
                refused(
                        "zip: NUL",
                        INVALID,
                        "has a NUL character",
                        () -> replaced(zip(z -> add(z, "aQb", 0, bytes("x"))), 'Q', 0)),
                refused(
                        "zip: twice",
                        ProblemCode.PATH_DUPLICATE,
                        "\"x\" is in the archive twice",
                        () -> replaced(stored("x", "Q"), 'Q', 'x')));
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                refused(
                        "character device",
                        UNSAFE,
                        "\"dev\" is a device file",
                        () -> tar().entry("dev", '3', 0644, "", new byte[0]).end()),
                refused(
                        "block device",
                        UNSAFE,
                        "\"dev\" is a device file",
                        () -> tar().entry("dev", '4', 0644, "", new byte[0]).end()),
                refused(
                        "pipe",
                        UNSAFE,
                        "\"p\" is a named pipe",
                        () -> tar().entry("p", '6', 0644, "", new byte[0]).end()),
                refused(
                        "sparse",
                        UNSAFE,
                        "\"s\" is a sparse file",
                        () -> tar().entry("s", 'S', 0644, "", new byte[0]).end()),
                refused(
                        "sparse by pax",
                        UNREADABLE,
                        "sparse",
                        () -> tar().pax("GNU.sparse.major=1").file("s", "").end()),
                refused(
                        "unknown type",
                        UNSAFE,
                        "is of the tar type \"V\"",
                        () -> tar().entry("v", 'V', 0644, "", new byte[0]).end()),
                refused(
                        "directory with content",
                        UNSAFE,
                        "\"d/\" has content",
                        () -> tar().entry("d/", '5', 0755, "", bytes("x")).end()),
                refused(
                        "link with content",
                        UNSAFE,
                        "\"l\" has content",
                        () -> tar().entry("l", '2', 0777, "x", bytes("x")).end()),
                refused(
                        "zip: device",
                        UNSAFE,
                        "\"d\" is a device file, a pipe or a socket",
                        () -> zip(z -> add(z, "d", 0020644, new byte[0]))),
                refused(
                        "zip: socket",
                        UNSAFE,
                        "\"s\" is a device file, a pipe or a socket",
                        () -> zip(z -> add(z, "s", 0140644, new byte[0]))),
                refused(
                        "zip: directory with content",
                        UNSAFE,
                        "\"d\" has content although it is a directory",
                        () -> zip(z -> add(z, "d", 0040755, bytes("x")))));
    }

    static Stream<Arguments> links() {
        return Stream.of(
                refused(
                        "symlink to an absolute path",
                        UNSAFE,
                        "\"l\" is a symlink that leads outside the workspace (to \"/etc/passwd\")",
                        () -> tar().symlink("l", "/etc/passwd").end()),
                refused(
                        "symlink up",
                        UNSAFE,
                        "\"l\" is a symlink that leads outside",
                        () -> tar().symlink("l", "../x").end()),
                refused(
                        "symlink up from a directory",
                        UNSAFE,
                        "\"a/b/l\" is a symlink that leads outside",
                        () -> tar().symlink("a/b/l", "../../../x").end()),
                refused(
                        "symlink down and up",
                        UNSAFE,
                        "\"l\" is a symlink that leads outside",
                        () -> tar().symlink("l", "a/../../x").end()),
                refused(
                        "symlink to a drive",
                        UNSAFE,
                        "\"l\" is a symlink that leads outside",
                        () -> tar().symlink("l", "C:\\Windows").end()),
                refused(
                        "chain of symlinks",
                        UNSAFE,
                        "is a symlink that leads outside",
                        () ->
                                tar().directory("a/b", 0755)
                                        .symlink("up", "a/b")
                                        .symlink("l", "up/../../../x")
                                        .end()),
                refused(
                        "chain that only its end breaks",
                        UNSAFE,
                        "\"a/two\" is a symlink that leads outside the workspace (to \"../one/..\")",
                        () -> tar().symlink("one", ".").symlink("a/two", "../one/..").end()),
                refused(
                        "chain to a later symlink",
                        UNSAFE,
                        "is a symlink that leads outside",
                        () ->
                                tar().symlink("first", "second/../..")
                                        .symlink("second", "a/b")
                                        .symlink("a/b", "../")
                                        .end()),
                refused(
                        "long target in pax",
                        UNSAFE,
                        "is a symlink that leads outside",
                        () -> tar().pax("linkpath=/etc/passwd").symlink("l", "good.txt").end()),
                refused(
                        "long target of GNU",
                        UNSAFE,
                        "is a symlink that leads outside",
                        () -> tar().longName('K', "/etc/passwd").symlink("l", "good.txt").end()),
                refused(
                        "empty target",
                        UNSAFE,
                        "\"l\" is a symlink without a usable target",
                        () -> tar().symlink("l", "").end()),
                refused(
                        "NUL in the target",
                        UNSAFE,
                        "\"l\" is a symlink without a usable target",
                        () -> tar().pax("linkpath=a\0b").symlink("l", "x").end()),
                refused(
                        "entry below a symlink",
                        UNSAFE,
                        "\"l/x\" lies below the symlink l",
                        () -> tar().symlink("l", "good.txt").file("l/x", "").end()),
                refused(
                        "entry below a later symlink",
                        UNSAFE,
                        "\"l\" is no directory",
                        () -> tar().file("l/x", "").symlink("l", "a").end()),
                refused(
                        "symlink replaced by a file",
                        ProblemCode.PATH_DUPLICATE,
                        "\"l\" is in the archive twice",
                        () -> tar().symlink("l", "good.txt").file("l", "").end()),
                refused(
                        "hard link outside",
                        UNSAFE,
                        "\"h\" is a hard link to \"../x\", which has a .. segment",
                        () -> tar().hardLink("h", "../x").end()),
                refused(
                        "hard link to an absolute path",
                        UNSAFE,
                        "\"h\" is a hard link to \"/etc/passwd\", which is absolute",
                        () -> tar().hardLink("h", "/etc/passwd").end()),
                refused(
                        "hard link to nothing",
                        UNSAFE,
                        "which is no file that comes before it",
                        () -> tar().hardLink("h", "later").file("later", "").end()),
                refused(
                        "hard link to a symlink",
                        UNSAFE,
                        "which is no file that comes before it",
                        () -> tar().symlink("l", "good.txt").hardLink("h", "l").end()),
                refused(
                        "hard link to itself",
                        UNSAFE,
                        "which is no file that comes before it",
                        () -> tar().hardLink("h", "h").end()),
                refused(
                        "zip: symlink outside",
                        UNSAFE,
                        "\"l\" is a symlink that leads outside",
                        () -> zip(z -> add(z, "l", 0120777, bytes("../x")))),
                refused(
                        "zip: endless symlink",
                        UNSAFE,
                        "\"l\" is a symlink whose target is too long",
                        () -> zip(z -> add(z, "l", 0120777, new byte[5000]))));
    }

    static Stream<Arguments> broken() {
        byte[] whole = tar().file("b.txt", "y".repeat(2000)).end();
        byte[] zipped =
                zip(
                        z -> {
                            add(z, "a", 0, bytes("a".repeat(5000)));
                            add(z, "b", 0, bytes("b"));
                        });
        return Stream.of(
                refused("empty body", UNREADABLE, "the archive is empty", () -> new byte[0]),
                refused(
                        "no archive",
                        UNREADABLE,
                        "send .tar, .tar.gz, .tar.zst or .zip",
                        () -> bytes("hello".repeat(200))),
                refused(
                        "rar",
                        UNREADABLE,
                        "send .tar",
                        () -> bytes("Rar!\u001a\u0007\u0001\0" + "x".repeat(600))),
                refused(
                        "cut within a file",
                        UNREADABLE,
                        "it ends within a file",
                        () -> Arrays.copyOf(whole, 2000)),
                refused(
                        "cut within a header",
                        UNREADABLE,
                        "its end mark is missing",
                        () -> Arrays.copyOf(whole, 1024 + 100)),
                refused(
                        "cut between entries",
                        UNREADABLE,
                        "its end mark is missing",
                        () -> Arrays.copyOf(whole, 1024)),
                refused("no end mark", UNREADABLE, "its end mark is missing", () -> tar().open()),
                refused(
                        "entries behind the end mark",
                        UNREADABLE,
                        "there are bytes behind its end mark",
                        () -> tar().raw(new byte[1024]).file("hidden", "x").end()),
                refused(
                        "entries behind half an end mark",
                        UNREADABLE,
                        "there are bytes behind its end mark",
                        () -> tar().raw(new byte[512]).file("hidden", "x").end()),
                refused(
                        "a damaged header",
                        UNREADABLE,
                        "a header's checksum is wrong",
                        () -> flipped(whole, 1024 + 3)),
                refused(
                        "a name without an entry",
                        UNREADABLE,
                        "an entry is missing",
                        () -> tar().longName('L', "x").end()),
                refused(
                        "two long names",
                        UNREADABLE,
                        "an entry has two long names",
                        () -> tar().longName('L', "x").pax("path=y").file("z", "").end()),
                refused(
                        "a global path",
                        UNREADABLE,
                        "a global header sets the path",
                        () -> tar().extension('g', "path=x").file("z", "").end()),
                refused(
                        "a broken pax record",
                        UNREADABLE,
                        "an extended header is broken",
                        () ->
                                tar().entry("p", 'x', 0644, "", bytes("99 path=x\n"))
                                        .file("z", "")
                                        .end()),
                refused(
                        "a pax record twice",
                        UNREADABLE,
                        "gives \"path\" twice",
                        () -> tar().pax("path=x", "path=y").file("z", "").end()),
                refused(
                        "a huge size",
                        UNREADABLE,
                        "a header's number is out of range",
                        () -> tar().raw(hugeSize()).end()),
                refused("gzip: cut off", UNREADABLE, "cut off", () -> cut(gzip(whole), 10)),
                refused(
                        "gzip: damaged",
                        UNREADABLE,
                        "damaged or cut off",
                        () -> flipped(gzip(whole), gzip(whole).length - 6)),
                refused(
                        "gzip: garbage behind",
                        UNREADABLE,
                        "damaged or cut off",
                        () -> joined(gzip(whole), bytes("garbage"))),
                refused(
                        "gzip: an archive behind",
                        UNREADABLE,
                        "there are bytes behind its end mark",
                        () -> joined(gzip(whole), gzip(tar().end()))),
                refused(
                        "gzip: no tar in it",
                        UNREADABLE,
                        "its end mark is missing",
                        () -> gzip(bytes("x"))),
                refused("zstd: cut off", UNREADABLE, "cut off", () -> cut(zstd(whole), 10)),
                refused(
                        "zstd: garbage behind",
                        UNREADABLE,
                        "damaged or cut off",
                        () -> joined(zstd(whole), bytes("garbage"))),
                refused(
                        "zstd: an archive behind",
                        UNREADABLE,
                        "there are bytes behind its end mark",
                        () -> joined(zstd(whole), zstd(tar().end()))),
                refused(
                        "zip: cut off",
                        UNREADABLE,
                        "its end record is missing",
                        () -> cut(zipped, 10)),
                refused(
                        "zip: bytes behind",
                        UNREADABLE,
                        "there are bytes behind its end record",
                        () -> joined(zipped, bytes("garbage"))),
                refused(
                        "zip: bytes in front",
                        UNREADABLE,
                        "send .tar",
                        () -> joined(bytes("garbage"), zipped)),
                refused(
                        "zip: an entry that the directory hides",
                        UNREADABLE,
                        "it has bytes that belong to no entry",
                        ArchiveRefusalTests::hiddenEntry),
                refused(
                        "zip: another name in front",
                        UNSAFE,
                        "\"a\" is described in two ways",
                        () -> named(zipped, 0, 'c')),
                refused("zip: damaged content", UNREADABLE, "damaged", () -> flipped(zipped, 36)),
                refused(
                        "zip: wrong checksum",
                        UNREADABLE,
                        "the content of \"b\" is damaged",
                        () -> wrongCrc("b")),
                refused(
                        "zip: overlapping entries",
                        UNREADABLE,
                        "its entries overlap",
                        ArchiveRefusalTests::overlapping),
                refused(
                        "zip: directory of another length",
                        UNREADABLE,
                        "another length than its end record says",
                        () -> miscounted(zipped)),
                refused(
                        "zip: encrypted",
                        UNREADABLE,
                        "\"a\" is encrypted",
                        () -> flagged(zipped, 1)));
    }

    static Stream<Arguments> bombs() {
        return Stream.of(
                refused(
                        "gzip of zeros",
                        TOO_LARGE,
                        "more than 200 times its own size",
                        () -> gzip(tar().file("z", new byte[3 << 20], 0644).end())),
                refused(
                        "zstd of zeros",
                        TOO_LARGE,
                        "more than 200 times its own size",
                        () -> zstd(tar().file("z", new byte[3 << 20], 0644).end())),
                refused(
                        "zip of zeros",
                        TOO_LARGE,
                        "more than 200 times its own size",
                        () -> zip(z -> add(z, "z", 0, new byte[3 << 20]))),
                refused(
                        "zeros behind the end mark",
                        TOO_LARGE,
                        "it unpacks to far more than its files hold",
                        () -> gzip(tar().raw(new byte[3 << 20]).end())),
                refused(
                        "headers that describe nothing",
                        TOO_LARGE,
                        "it unpacks to far more than its files hold",
                        () -> gzip(comments())),
                refused(
                        "hard links to one large file",
                        TOO_LARGE,
                        "more than 200 times its own size",
                        () -> gzip(hardLinks(1 << 20))),
                refused(
                        "over the limit of entries",
                        TOO_LARGE,
                        "more than 50 entries",
                        () -> files(51)),
                refused(
                        "zip: over the limit of entries",
                        TOO_LARGE,
                        "more than 50 entries",
                        () ->
                                zip(
                                        z -> {
                                            for (int i = 0; i < 51; i++) {
                                                add(z, "f" + i, 0, new byte[0]);
                                            }
                                        })),
                refused(
                        "over the limit of bytes",
                        TOO_LARGE,
                        "more than 8388608 bytes",
                        () -> tar().file("z", noise(9 << 20), 0644).end()),
                refused(
                        "more directories than entries",
                        TOO_LARGE,
                        "more than 50 directories",
                        () -> tar().pax("path=" + "d/".repeat(51) + "x").file("x", "").end()));
    }

    @ParameterizedTest
    @MethodSource({"paths", "kinds", "links", "broken"})
    void refuses(ProblemCode code, String message, Supplier<byte[]> archive) {
        assertRefused(code, message, archive.get(), Packing.LIMITS);
    }

    @ParameterizedTest
    @MethodSource
    void bombs(ProblemCode code, String message, Supplier<byte[]> archive) {
        assertRefused(code, message, archive.get(), new ArchiveLimits(50, 8 << 20, 200));
    }

    private void assertRefused(
            ProblemCode code, String message, byte[] archive, ArchiveLimits limits) {
        assertThatThrownBy(() -> Packing.check(scratch, archive, limits))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.detail()).contains(message);
                            assertThat(problem.code()).isEqualTo(code);
                            assertThat(code.status()).isEqualTo(422);
                        });
    }

    @Test
    void everyCutOfAnArchiveIsRefused() {
        byte[] tar = tar().directory("d", 0755).pax("path=d/caf\u00e9").file("x", "abc").end();
        for (byte[] whole : new byte[][] {tar, gzip(tar), zstd(tar)}) {
            assertThat(Packing.check(scratch, whole, Packing.LIMITS)).isEqualTo(2);
            int end = whole == tar ? tar.length - 1024 : whole.length;
            for (int length = 0; length < end; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> Packing.check(scratch, cut, Packing.LIMITS))
                        .as("cut to %s of %s bytes", length, whole.length)
                        .isInstanceOf(ProblemException.class);
            }
        }
    }

    @Test
    void noRandomDamageCausesAnythingButARefusal() {
        Random random = new Random(11);
        byte[] tar =
                tar().directory("d", 0755).symlink("l", "good.txt").hardLink("h", "good.txt").end();
        byte[] zipped =
                zip(
                        z -> {
                            add(z, "a", 0100644, bytes("abc"));
                            add(z, "l", 0120777, bytes("a"));
                        });
        for (byte[] whole : new byte[][] {tar, gzip(tar), zstd(tar), zipped}) {
            for (int i = 0; i < 200; i++) {
                byte[] damaged = whole.clone();
                for (int n = random.nextInt(4); n >= 0; n--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
                }
                try {
                    Packing.check(scratch, damaged, Packing.LIMITS);
                } catch (ProblemException e) {
                    assertThat(e.code().status()).isEqualTo(422);
                }
            }
        }
    }

    private static byte[] prefixed(String prefix, String name) {
        byte[] block = RawTar.header(name, '0', 0644, "", 0);
        RawTar.put(block, 345, 155, prefix);
        return RawTar.sign(block);
    }

    private static byte[] latin1Name() {
        byte[] block = RawTar.header("caf?", '0', 0644, "", 0);
        block[3] = (byte) 0xe9;
        return RawTar.sign(block);
    }

    private static byte[] hugeSize() {
        byte[] block = RawTar.header("big", '0', 0644, "", 0);
        Arrays.fill(block, 124, 136, (byte) 0xff);
        return RawTar.sign(block);
    }

    private static byte[] comments() {
        RawTar tar = tar();
        String comment = "comment=" + "x".repeat(1 << 19);
        IntStream.range(0, 40).forEach(i -> tar.extension('g', comment));
        return tar.end();
    }

    private static byte[] hardLinks(int size) {
        RawTar tar = new RawTar().file("f", noise(1 << 12), 0644).file("big", new byte[size], 0644);
        IntStream.range(0, 40).forEach(i -> tar.hardLink("h" + i, "big"));
        return tar.end();
    }

    private static byte[] files(int count) {
        RawTar tar = new RawTar();
        IntStream.range(0, count).forEach(i -> tar.file("f" + i, ""));
        return tar.end();
    }

    private static byte[] noise(int size) {
        byte[] bytes = new byte[size];
        new Random(3).nextBytes(bytes);
        return bytes;
    }

    private static byte[] cut(byte[] bytes, int less) {
        return Arrays.copyOf(bytes, bytes.length - less);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static byte[] flipped(byte[] bytes, int at) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= 0x55;
        return damaged;
    }

    private static byte[] replaced(byte[] bytes, char from, int to) {
        byte[] changed = bytes.clone();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] == from) {
                changed[i] = (byte) to;
            }
        }
        return changed;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int endOf(byte[] zip) {
        return zip.length - 22;
    }

    private static int directoryOf(byte[] zip) {
        return little(zip).getInt(endOf(zip) + 16);
    }

    /** The name in front of the entry at {@code offset}, one letter long, becomes another one. */
    private static byte[] named(byte[] zip, int offset, char name) {
        byte[] changed = zip.clone();
        changed[offset + 30] = (byte) name;
        return changed;
    }

    private static byte[] flagged(byte[] zip, int bit) {
        byte[] changed = zip.clone();
        changed[6] |= (byte) bit;
        changed[directoryOf(zip) + 8] |= (byte) bit;
        return changed;
    }

    private static byte[] miscounted(byte[] zip) {
        byte[] changed = zip.clone();
        little(changed).putShort(endOf(zip) + 8, (short) 3).putShort(endOf(zip) + 10, (short) 3);
        return changed;
    }

    /** Stored entries, so that nothing but the checksum can tell. */
    private static byte[] wrongCrc(String name) {
        byte[] zip = stored(name);
        little(zip).putInt(14, 1).putInt(directoryOf(zip) + 16, 1);
        return zip;
    }

    private static byte[] stored(String... names) {
        return zip(
                z -> {
                    z.setMethod(ZipEntry.STORED);
                    for (String name : names) {
                        var entry = new ZipArchiveEntry(name);
                        CRC32 crc = new CRC32();
                        crc.update(bytes("content"));
                        entry.setCrc(crc.getValue());
                        entry.setSize(7);
                        z.putArchiveEntry(entry);
                        z.write(bytes("content"));
                        z.closeArchiveEntry();
                    }
                });
    }

    /** The first entry's line is taken out of the directory; its bytes stay in the file. */
    private static byte[] hiddenEntry() {
        byte[] zip = stored("a", "b");
        int directory = directoryOf(zip);
        int first = 46 + 1 + little(zip).getShort(directory + 30);
        byte[] changed = new byte[zip.length - first];
        System.arraycopy(zip, 0, changed, 0, directory);
        System.arraycopy(
                zip, directory + first, changed, directory, zip.length - directory - first);
        int end = endOf(changed);
        little(changed)
                .putShort(end + 8, (short) 1)
                .putShort(end + 10, (short) 1)
                .putInt(end + 12, little(zip).getInt(endOf(zip) + 12) - first);
        return changed;
    }

    /** Both lines of the directory point at the first entry's bytes. */
    private static byte[] overlapping() {
        byte[] zip = stored("a", "b");
        int directory = directoryOf(zip);
        int first = 46 + 1 + little(zip).getShort(directory + 30);
        little(zip).putInt(directory + first + 42, 0);
        return zip;
    }
}
