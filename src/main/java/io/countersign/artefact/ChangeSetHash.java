package io.countersign.artefact;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The change-set hash of {@code docs/workspaces.md}, which a client can compute offline: SHA-256
 * over, for each path in ascending UTF-8 byte order, the path's bytes, {@code 0x00}, the 32 raw
 * bytes of the content's SHA-256 (or the ASCII {@code <missing>} where there is no file), {@code
 * 0x00}.
 */
public final class ChangeSetHash {
    private static final byte[] MISSING = "<missing>".getBytes(StandardCharsets.US_ASCII);

    private ChangeSetHash() {}

    /**
     * @param files each path with its content's digest, or empty where there is no file
     */
    public static Sha256 of(NavigableMap<WorkspacePath, Optional<Sha256>> files) {
        MessageDigest digest = Sha256.newDigest();
        files.forEach(
                (path, content) -> {
                    digest.update(path.value().getBytes(StandardCharsets.UTF_8));
                    digest.update((byte) 0);
                    digest.update(content.map(Sha256::bytes).orElse(MISSING));
                    digest.update((byte) 0);
                });
        return Sha256.of(digest);
    }

    /**
     * The hash of changed files; a renamed one counts as its new path and its missing former one.
     *
     * @throws IllegalArgumentException for a path that is not acceptable or stands there twice
     */
    public static Sha256 of(Collection<ChangedFile> files) {
        NavigableMap<WorkspacePath, Optional<Sha256>> entries = new TreeMap<>();
        for (ChangedFile file : files) {
            put(entries, file.path(), Optional.ofNullable(file.sha256()));
            if (file.from() != null) {
                put(entries, file.from(), Optional.empty());
            }
        }
        return of(entries);
    }

    private static void put(
            NavigableMap<WorkspacePath, Optional<Sha256>> entries,
            String path,
            Optional<Sha256> content) {
        if (entries.put(new WorkspacePath(path), content) != null) {
            throw new IllegalArgumentException(Shown.text(path) + " is given twice");
        }
    }

    /**
     * Reads the files of a change-set that a caller sent.
     *
     * @param pointer JSON pointer of the list
     * @throws ProblemException 422 for a path that is not acceptable or stands there twice, or a
     *     digest that is none
     */
    public static NavigableMap<WorkspacePath, Optional<Sha256>> read(
            String pointer, List<FileDigest> files) {
        NavigableMap<WorkspacePath, Optional<Sha256>> entries = new TreeMap<>();
        for (int i = 0; i < files.size(); i++) {
            FileDigest file = files.get(i);
            String at = pointer + "/" + i;
            WorkspacePath path = WorkspacePath.parse(at + "/path", file.path());
            Optional<Sha256> content =
                    Optional.ofNullable(file.sha256())
                            .map(hex -> Sha256.parse(at + "/sha256", hex));
            if (entries.put(path, content) != null) {
                throw ProblemException.invalid(
                        ProblemCode.PATH_DUPLICATE,
                        at + "/path",
                        "the path " + Shown.text(path.value()) + " is given twice");
            }
        }
        return entries;
    }
}
