package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.ChangedFile.Status;
import io.countersign.artefact.DeclaredFile.Request;
import io.countersign.kernel.Finding;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

class ChangeSetsTests {
    private static final Tree BASE =
            tree(Map.of("same", "1", "edited", "1", "gone", "1", "dir/old", "7"));
    private static final Tree WORK =
            tree(Map.of("same", "1", "edited", "2", "new", "1", "dir/moved", "7"));

    private static Tree tree(Map<String, String> files) {
        TreeMap<WorkspacePath, Tree.Node> nodes = new TreeMap<>();
        files.forEach(
                (path, text) ->
                        nodes.put(new WorkspacePath(path), new Tree.Node(Sha256.of(text), false)));
        return new Tree(nodes);
    }

    private static List<DeclaredFile> declared(Request... files) {
        return DeclaredFile.read("", List.of(files));
    }

    private static ChangedFile file(String path, Status status, @Nullable String text) {
        return new ChangedFile(path, status, null, text == null ? null : Sha256.of(text));
    }

    private static final List<ChangedFile> TRUTH =
            List.of(
                    file("dir/moved", Status.ADDED, "7"),
                    file("dir/old", Status.DELETED, null),
                    file("edited", Status.MODIFIED, "2"),
                    file("gone", Status.DELETED, null),
                    file("new", Status.ADDED, "1"));

    @Test
    void comparesWithTheBaseAndGuessesNoRename() {
        ChangeSets.Frozen frozen = ChangeSets.freeze(WORK, BASE, null);
        assertThat(frozen.changeSet())
                .isEqualTo(new ChangeSet.Known(TRUTH, ChangeSetHash.of(TRUTH)));
        assertThat(frozen.findings()).isEmpty();
    }

    @Test
    void equalTreesAreKnownToHaveChangedNothing() {
        assertThat(ChangeSets.freeze(BASE, BASE, null).changeSet().knownEmpty()).isTrue();
    }

    @Test
    void aFileThatBecameASymlinkWithTheSameBytesIsModified() {
        Tree link =
                new Tree(
                        new TreeMap<>(
                                Map.of(
                                        new WorkspacePath("same"),
                                        new Tree.Node(Sha256.of("1"), true))));
        assertThat(link.changedSince(tree(Map.of("same", "1"))))
                .containsExactly(file("same", Status.MODIFIED, "1"));
    }

    @Test
    void theBaseWinsOverTheDeclaredListAndDifferencesAreFindings() {
        ChangeSets.Frozen frozen =
                ChangeSets.freeze(
                        WORK,
                        BASE,
                        declared(
                                new Request("dir/moved", "renamed", "dir/old"),
                                new Request("edited", "deleted", null),
                                new Request("gone", "modified", null),
                                new Request("same", "modified", null)));
        assertThat(frozen.changeSet().named()).isEqualTo(TRUTH);
        assertThat(frozen.findings())
                .containsExactly(
                        new Finding(
                                "undeclared-change",
                                "edited",
                                "declared as deleted, but it is in the workspace"),
                        new Finding(
                                "undeclared-change",
                                "gone",
                                "declared as changed, but it is deleted"),
                        new Finding("undeclared-change", "new", "added, but not declared"),
                        new Finding(
                                "undeclared-change",
                                "same",
                                "declared, but it is as it was in the base"));
    }

    @Test
    void aListThatNamesTheTruthHasNoFindings() {
        ChangeSets.Frozen frozen =
                ChangeSets.freeze(
                        WORK,
                        BASE,
                        declared(
                                new Request("dir/moved", "renamed", "dir/old"),
                                new Request("edited", "written", null),
                                new Request("gone", "deleted", null),
                                new Request("new", "added", null)));
        assertThat(frozen.findings()).isEmpty();
    }

    @Test
    void anEmptyListIsNoMissingList() {
        assertThat(ChangeSets.freeze(WORK, BASE, List.of()).findings()).hasSize(5);
        assertThat(ChangeSets.freeze(WORK, null, List.of()).changeSet().knownEmpty()).isTrue();
        assertThat(ChangeSets.freeze(WORK, null, null).changeSet())
                .isEqualTo(new ChangeSet.Unknown());
        assertThat(ChangeSets.freeze(WORK, null, null).changeSet().knownEmpty()).isFalse();
    }

    @Test
    void declaredFilesAreHashedFromTheFrozenTree() {
        ChangeSets.Frozen frozen =
                ChangeSets.freeze(
                        WORK,
                        null,
                        declared(
                                new Request("new", "written", null),
                                new Request("absent", "added", null),
                                new Request("gone", "deleted", null),
                                new Request("dir/moved", "renamed", "dir/old")));
        List<ChangedFile> files =
                List.of(
                        file("absent", Status.ADDED, null),
                        new ChangedFile("dir/moved", Status.RENAMED, "dir/old", Sha256.of("7")),
                        file("gone", Status.DELETED, null),
                        file("new", Status.ADDED, "1"));
        assertThat(frozen.changeSet())
                .isEqualTo(new ChangeSet.Known(files, ChangeSetHash.of(files)));
        assertThat(frozen.findings())
                .containsExactly(
                        new Finding(
                                "undeclared-change",
                                "absent",
                                "declared as added, but it is not in the workspace"));
    }

    @Test
    void aFileThatIsThereIsNotHashedAsDeletedWhateverIsDeclared() {
        ChangeSets.Frozen frozen =
                ChangeSets.freeze(WORK, null, declared(new Request("new", "deleted", null)));
        assertThat(frozen.changeSet().named()).containsExactly(file("new", Status.MODIFIED, "1"));
        assertThat(frozen.findings())
                .extracting(Finding::detail)
                .containsExactly("declared as deleted, but it is in the workspace");
    }

    @Test
    void withoutAWorkspaceContentsAreUnknownAndThereIsNoHash() {
        List<DeclaredFile> list = declared(new Request("src/a", "modified", null));
        assertThat(ChangeSets.freeze(null, null, list).changeSet())
                .isEqualTo(new ChangeSet.Declared(List.of(file("src/a", Status.MODIFIED, null))));
        assertThat(ChangeSets.freeze(null, BASE, list).changeSet())
                .isInstanceOf(ChangeSet.Declared.class);
        assertThat(ChangeSets.freeze(null, null, List.of()).changeSet().knownEmpty()).isTrue();
        assertThat(
                        ChangeSets.freeze(null, null, declared(new Request("a", "deleted", null)))
                                .changeSet())
                .isInstanceOf(ChangeSet.Known.class);
    }

    @Test
    void findingsAreBounded() {
        TreeMap<WorkspacePath, Tree.Node> many = new TreeMap<>();
        IntStream.range(0, 300)
                .forEach(
                        i ->
                                many.put(
                                        new WorkspacePath("f" + i),
                                        new Tree.Node(Sha256.of("x"), false)));
        ChangeSets.Frozen frozen =
                ChangeSets.freeze(new Tree(many), new Tree(new TreeMap<>()), List.of());
        assertThat(frozen.findings()).hasSize(51);
        assertThat(frozen.findings().getLast().detail()).isEqualTo("250 more paths differ");
        assertThat(frozen.changeSet().named()).hasSize(300);
    }
}
