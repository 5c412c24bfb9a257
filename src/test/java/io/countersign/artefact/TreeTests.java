package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.Sha256;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;

class TreeTests {
    @TempDir Path root;

    /** What a command may do to a file after it was frozen. */
    private enum Deed {
        NOTHING,
        ADD,
        WRITE_AGAIN,
        REWRITE,
        DELETE,
        TO_LINK,
        TO_DIRECTORY,
        DIRECTORY_TO_LINK;

        void run(Path root, Path file) throws IOException {
            switch (this) {
                case NOTHING -> {}
                case ADD -> Files.writeString(root.resolve("new"), "x");
                case WRITE_AGAIN -> Files.writeString(file, "frozen");
                case REWRITE -> Files.writeString(file, "forged");
                case DELETE -> Files.delete(file);
                case TO_LINK -> {
                    Files.move(file, root.resolve("moved"));
                    Files.createSymbolicLink(file, Path.of("../moved"));
                }
                case TO_DIRECTORY -> {
                    Files.delete(file);
                    Files.createDirectory(file);
                }
                case DIRECTORY_TO_LINK -> {
                    Path elsewhere = Files.createTempDirectory("elsewhere");
                    Files.move(file, elsewhere.resolve("a"));
                    Files.delete(root.resolve("src"));
                    Files.createSymbolicLink(root.resolve("src"), elsewhere);
                }
            }
        }

        boolean alters() {
            return ordinal() > WRITE_AGAIN.ordinal();
        }
    }

    @ParameterizedTest
    @EnumSource(Deed.class)
    void tellsWhatIsNoLongerAsItWasFrozen(Deed deed) throws IOException {
        Path file = Files.createDirectories(root.resolve("src")).resolve("a");
        Files.writeString(file, "frozen");
        Files.createSymbolicLink(root.resolve("link"), Path.of("src/a"));
        var nodes = new TreeMap<WorkspacePath, Tree.Node>();
        nodes.put(new WorkspacePath("src/a"), new Tree.Node(Sha256.of("frozen"), false));
        nodes.put(new WorkspacePath("link"), new Tree.Node(Sha256.of("src/a"), true));
        Tree tree = new Tree(nodes);
        deed.run(root, file);
        if (deed.alters()) assertThat(tree.alteredIn(root)).containsExactly("src/a");
        else assertThat(tree.alteredIn(root)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void tellsASymlinkThatLeadsElsewhere(String target) throws IOException {
        Files.createSymbolicLink(root.resolve("link"), Path.of(target));
        var nodes = new TreeMap<WorkspacePath, Tree.Node>();
        nodes.put(new WorkspacePath("link"), new Tree.Node(Sha256.of("a"), true));
        assertThat(new Tree(nodes).alteredIn(root).isEmpty()).isEqualTo(target.equals("a"));
    }
}
