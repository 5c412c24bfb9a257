package io.countersign.artefact;

import static io.countersign.artefact.Packing.add;
import static io.countersign.artefact.Packing.bytes;
import static io.countersign.artefact.Packing.gzip;
import static io.countersign.artefact.Packing.zip;
import static io.countersign.artefact.Packing.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.Sha256;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

class UnpackingTests {
    @TempDir Path scratch;
    @TempDir Path root;

    private String mode(String path) throws IOException {
        return PosixFilePermissions.toString(
                Files.getPosixFilePermissions(root.resolve(path), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void keepsModesLinksAndEmptyFiles() throws IOException {
        byte[] tar =
                new RawTar()
                        .directory("./", 0700)
                        .file("./run.sh", bytes("#!/bin/sh\n"), 0755)
                        .file("./secret", bytes("s"), 0600)
                        .file("./empty", "")
                        .directory("./ro/", 0555)
                        .file("./ro/x", bytes("x"), 0444)
                        .directory("./bare/", 0750)
                        .file("./setuid", bytes("s"), 04711)
                        .symlink("./link", "ro/x")
                        .symlink("./dir/up", "../ro")
                        .symlink("./dangling", "none/at/all")
                        .symlink("./loop", "loop")
                        .hardLink("./hard", "./ro/x")
                        .end();
        Tree tree = Packing.unpack(scratch, tar, root);
        assertThat(mode("run.sh")).isEqualTo("rwxr-xr-x");
        assertThat(mode("secret")).isEqualTo("rw-------");
        assertThat(mode("empty")).isEqualTo("rw-r--r--");
        assertThat(mode("ro")).isEqualTo("r-xr-xr-x");
        assertThat(mode("ro/x")).isEqualTo("r--r--r--");
        assertThat(mode("bare")).isEqualTo("rwxr-x---");
        assertThat(mode("setuid")).isEqualTo("rwx--x--x");
        assertThat(mode("dir")).isEqualTo("rwxr-xr-x");
        assertThat(root.resolve("empty")).isEmptyFile();
        assertThat(Files.readSymbolicLink(root.resolve("link"))).hasToString("ro/x");
        assertThat(Files.readSymbolicLink(root.resolve("dir/up"))).hasToString("../ro");
        assertThat(Files.readSymbolicLink(root.resolve("loop"))).hasToString("loop");
        assertThat(Files.isSameFile(root.resolve("hard"), root.resolve("ro/x"))).isTrue();
        assertThat(TreeHash.tree(root)).isEqualTo(tree);
        assertThat(tree.nodes().get(new WorkspacePath("link")))
                .isEqualTo(new Tree.Node(Sha256.of("ro/x"), true));
        assertThat(tree.nodes()).hasSize(10);
    }

    @Test
    void readsLongAndForeignNamesOfEveryTarDialect() {
        String name = "d".repeat(90) + "/caf\u00e9/" + "f".repeat(120) + "\ud83d\ude00";
        byte[] pax = new RawTar().pax("path=" + name, "mtime=1.5").file("short", "x").end();
        byte[] gnu = new RawTar().longName('L', name).file("short", "x").end();
        byte[] git =
                new RawTar()
                        .extension('g', "comment=0123456789")
                        .pax("path=" + name)
                        .file("short", "x")
                        .end();
        for (byte[] tar : new byte[][] {pax, gnu, git}) {
            Path into = root.resolve(Sha256.of(tar).hex());
            assertThat(into.toFile().mkdir()).isTrue();
            assertThat(Packing.unpack(scratch, tar, into).nodes())
                    .containsExactly(
                            Map.entry(
                                    new WorkspacePath(name), new Tree.Node(Sha256.of("x"), false)));
        }
    }

    @Test
    void leavesTheRepositoryOutOfTheHashButNotOutOfTheWorkspace() {
        byte[] tar =
                new RawTar()
                        .file(".git/HEAD", "ref")
                        .file(".gitignore", "x")
                        .file("sub/.git/HEAD", "ref")
                        .hardLink("copy", ".git/HEAD")
                        .symlink(".git/link", "HEAD")
                        .end();
        Tree tree = Packing.unpack(scratch, tar, root);
        assertThat(tree.nodes().keySet())
                .extracting(WorkspacePath::value)
                .containsExactly(".gitignore", "copy", "sub/.git/HEAD");
        assertThat(root.resolve(".git/HEAD")).hasContent("ref");
        assertThat(TreeHash.tree(root)).isEqualTo(tree);
    }

    @Test
    void treeAndChangeSetHashAreOneAlgorithm() throws IOException {
        Files.writeString(root.resolve("b.txt"), "beta\n");
        Files.writeString(root.resolve("a.txt"), "alpha\n");
        Files.createDirectories(root.resolve("empty/dirs"));
        Files.createDirectories(root.resolve(".git"));
        Files.writeString(root.resolve(".git/x"), "not hashed");
        assertThat(TreeHash.of(root).hex()) // the case two-files-in-reverse
                .isEqualTo("40cb45bc94c66143e8bb42a532b4559f72924b9dae936983e35ef021c53e409c");
    }

    @Test
    void readsAnEmptyArchive() {
        assertThat(Packing.check(scratch, new byte[10240], Packing.LIMITS)).isZero();
        assertThat(Packing.check(scratch, zip(z -> {}), Packing.LIMITS)).isZero();
        assertThat(Packing.check(scratch, gzip(new byte[1024]), Packing.LIMITS)).isZero();
    }

    @Test
    void readsZipsOfUnixAndOfDos() throws IOException {
        byte[] archive =
                zip(
                        z -> {
                            add(z, "bin/", 0040755, new byte[0]);
                            add(z, "bin/run", 0100755, bytes("x"));
                            add(z, "link", 0120777, bytes("bin/run"));
                            add(z, "dos.txt", 0, bytes("dos"));
                            add(z, "implied/caf\u00e9.txt", 0100600, bytes("y"));
                        });
        Tree tree = Packing.unpack(scratch, archive, root);
        assertThat(mode("bin/run")).isEqualTo("rwxr-xr-x");
        assertThat(mode("dos.txt")).isEqualTo("rw-r--r--");
        assertThat(mode("implied/caf\u00e9.txt")).isEqualTo("rw-------");
        assertThat(Files.readSymbolicLink(root.resolve("link"))).hasToString("bin/run");
        assertThat(TreeHash.tree(root)).isEqualTo(tree);
    }

    @Test
    void readsConcatenatedGzipMembersAsOneTar() {
        byte[] tar = new RawTar().file("a", "x".repeat(3000)).end();
        byte[] first = gzip(java.util.Arrays.copyOf(tar, 1000));
        byte[] second = gzip(java.util.Arrays.copyOfRange(tar, 1000, tar.length));
        byte[] joined = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        assertThat(Packing.check(scratch, joined, Packing.LIMITS)).isEqualTo(1);
    }

    @Test
    void theRatioIsNotAskedOfSmallArchives() {
        byte[] tar = new RawTar().file("zeros", new byte[1 << 20], 0644).end();
        assertThat(Packing.check(scratch, zstd(tar), Packing.LIMITS)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyFormatOfARandomTreeUnpacksToTheSame(int seed) throws IOException {
        Map<String, byte[]> files = randomFiles(new Random(seed));
        TreeMap<WorkspacePath, Tree.Node> nodes = new TreeMap<>();
        files.forEach(
                (path, content) ->
                        nodes.put(
                                new WorkspacePath(path), new Tree.Node(Sha256.of(content), false)));
        Tree expected = new Tree(nodes);
        byte[] tar = commonsTar(files, seed % 2 == 0);
        byte[] zip =
                zip(
                        z -> {
                            for (var file : files.entrySet()) {
                                add(z, file.getKey(), 0100644, file.getValue());
                            }
                        });
        byte[][] archives = {tar, gzip(tar), zstd(tar), zip};
        for (int i = 0; i < archives.length; i++) {
            Path into = Files.createDirectory(root.resolve("unpacked" + i));
            assertThat(Packing.unpack(scratch, archives[i], into)).isEqualTo(expected);
            assertThat(TreeHash.tree(into)).isEqualTo(expected);
        }
    }

    private static Map<String, byte[]> randomFiles(Random random) {
        Map<String, byte[]> files = new TreeMap<>();
        String[] names = {"a", "src", "caf\u00e9", "\ud83d\ude00", "with space", "x".repeat(60)};
        for (int n = 1 + random.nextInt(30); n > 0; n--) {
            StringBuilder path = new StringBuilder();
            for (int depth = random.nextInt(4); depth > 0; depth--) {
                path.append("d").append(names[random.nextInt(names.length)]).append('/');
            }
            path.append("f").append(names[random.nextInt(names.length)]).append(n);
            byte[] content = new byte[random.nextInt(4) * random.nextInt(2000)];
            random.nextBytes(content);
            files.put(path.toString(), content);
        }
        return files;
    }

    private static byte[] commonsTar(Map<String, byte[]> files, boolean posix) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
            tar.setLongFileMode(
                    posix
                            ? TarArchiveOutputStream.LONGFILE_POSIX
                            : TarArchiveOutputStream.LONGFILE_GNU);
            tar.setAddPaxHeadersForNonAsciiNames(posix);
            for (var file : files.entrySet()) {
                TarArchiveEntry entry = new TarArchiveEntry(file.getKey(), TarConstants.LF_NORMAL);
                entry.setSize(file.getValue().length);
                tar.putArchiveEntry(entry);
                tar.write(file.getValue());
                tar.closeArchiveEntry();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
