package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.artefact.Workspace;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Inputs for tests of checks. */
final class Samples {
    static final ChangeSet UNKNOWN = new ChangeSet.Unknown();

    private Samples() {}

    static CheckPolicy policy() {
        return policy(false);
    }

    static CheckPolicy policy(boolean requireReport) {
        return new CheckPolicy(
                CommandPolicy.DEFAULT_ALLOWLIST,
                null,
                null,
                null,
                Duration.ofSeconds(60),
                false,
                requireReport,
                List.of());
    }

    static CheckContext context(@Nullable Path root, ChangeSet changeSet, CheckPolicy policy) {
        Workspace workspace = root == null ? null : new Workspace(root, "");
        return new CheckContext(workspace, changeSet, policy, null, Instant.MAX);
    }

    static CheckContext context(Path root) {
        return context(root, UNKNOWN, policy());
    }

    static ChangeSet changed(String... paths) {
        return changed(
                Arrays.stream(paths)
                        .map(path -> new ChangedFile(path, ChangedFile.Status.MODIFIED, null, null))
                        .toList());
    }

    static ChangeSet changed(List<ChangedFile> files) {
        return new ChangeSet.Known(files, Sha256.of("a change-set"));
    }

    static Path write(Path root, String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
