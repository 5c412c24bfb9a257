package io.countersign.decision;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangeSetHash;
import io.countersign.artefact.ChangedFile;
import io.countersign.artefact.FileDigest;
import io.countersign.artefact.WorkspacePath;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The change-set of a request: what is judged. */
record ChangeSetBody(List<FileDigest> files) {

    /**
     * A change-set whose paths and digests were checked.
     *
     * @param files each path with its digest, or empty where there is no file
     */
    record Judged(NavigableMap<WorkspacePath, Optional<Sha256>> files, Sha256 sha256) {
        Judged {
            files = Collections.unmodifiableNavigableMap(new TreeMap<>(files));
        }

        static Judged of(NavigableMap<WorkspacePath, Optional<Sha256>> files) {
            return new Judged(files, ChangeSetHash.of(files));
        }

        /** Reads what {@link #json} wrote. */
        static Judged read(JsonNode json) {
            NavigableMap<WorkspacePath, Optional<Sha256>> files = new TreeMap<>();
            json.properties()
                    .forEach(
                            file ->
                                    files.put(
                                            new WorkspacePath(file.getKey()),
                                            Optional.ofNullable(file.getValue().stringValue(null))
                                                    .map(Sha256::new)));
            return of(files);
        }

        ObjectNode json() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            files.forEach((path, sha256) -> json.put(path.value(), hex(sha256)));
            return json;
        }

        private static @Nullable String hex(Optional<Sha256> sha256) {
            return sha256.map(Sha256::hex).orElse(null);
        }

        boolean isEmpty() {
            return files.isEmpty();
        }

        /** As attestations name it; what a judge was not told counts as a modification. */
        ChangeSet.Known known() {
            List<ChangedFile> changed =
                    files.entrySet().stream()
                            .map(
                                    file ->
                                            new ChangedFile(
                                                    file.getKey().value(),
                                                    file.getValue().isPresent()
                                                            ? ChangedFile.Status.MODIFIED
                                                            : ChangedFile.Status.DELETED,
                                                    null,
                                                    file.getValue().orElse(null)))
                            .toList();
            return new ChangeSet.Known(changed, sha256);
        }
    }

    Judged read(String pointer) {
        return Judged.of(ChangeSetHash.read(pointer + "/files", files));
    }
}
