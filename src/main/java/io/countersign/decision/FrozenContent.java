package io.countersign.decision;

import io.countersign.artefact.Materialised;
import io.countersign.artefact.PreparedWorkspace;
import io.countersign.artefact.SafePaths;
import io.countersign.artefact.WorkspaceInput;
import io.countersign.artefact.Workspaces;
import io.countersign.attestation.Attestations;
import io.countersign.decision.ChangeSetBody.Judged;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.verification.Submission;
import io.countersign.verification.Verifications;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files of a change-set that was verified here, while their blobs are kept. They are unpacked
 * when a quote is first looked up, which only a refutation causes; a file counts only when its
 * content has the digest that the change-set names. Files beside the change-set are not known: the
 * producer posted them, nothing binds them to what the judge saw, and an altered one would demote a
 * true quote.
 */
@Component
class FrozenContent {
    /** Larger files, and more of them, count as not known: a decision is not to take minutes. */
    private static final long MAX_BYTES = 1024 * 1024;

    private static final int MAX_FILES = 200;

    private final Attestations attestations;
    private final Verifications verifications;
    private final Workspaces workspaces;
    private final Ids ids;

    FrozenContent(
            Attestations attestations,
            Verifications verifications,
            Workspaces workspaces,
            Ids ids) {
        this.attestations = attestations;
        this.verifications = verifications;
        this.workspaces = workspaces;
        this.ids = ids;
    }

    /** Opens what is known of the change-set; whoever gets it closes it. */
    Opened open(ProjectId project, @Nullable Judged changeSet) {
        return new Opened(project, changeSet);
    }

    /** Content that is looked up lazily. */
    final class Opened implements KnownContent, AutoCloseable {
        private final ProjectId project;
        private final @Nullable Judged changeSet;
        private final Map<String, Sha256> expected = new HashMap<>();
        private final Map<String, Optional<String>> texts = new HashMap<>();
        private boolean tried;
        private @Nullable PreparedWorkspace workspace;

        private Opened(ProjectId project, @Nullable Judged changeSet) {
            this.project = project;
            this.changeSet = changeSet;
            if (changeSet != null) {
                changeSet
                        .files()
                        .forEach((path, sha) -> sha.ifPresent(s -> expected.put(path.value(), s)));
            }
        }

        @Override
        public Optional<String> textOf(String path) {
            Sha256 digest = expected.get(path);
            if (digest == null || texts.size() >= MAX_FILES && !texts.containsKey(path)) {
                return Optional.empty();
            }
            return texts.computeIfAbsent(path, p -> read(p, digest));
        }

        private Optional<String> read(String path, Sha256 digest) {
            PreparedWorkspace files = workspace();
            return files != null
                            && SafePaths.resolve(files.workspace(), path)
                                    instanceof SafePaths.Resolved.Inside inside
                    ? read(inside, digest)
                    : Optional.empty();
        }

        private Optional<String> read(SafePaths.Resolved.Inside inside, Sha256 expected) {
            try {
                if (!Files.isRegularFile(inside.real()) || Files.size(inside.real()) > MAX_BYTES) {
                    return Optional.empty();
                }
                byte[] bytes = Files.readAllBytes(inside.real());
                return Sha256.of(bytes).equals(expected)
                        ? Optional.of(new String(bytes, StandardCharsets.UTF_8))
                        : Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the workspace", e);
            }
        }

        private @Nullable PreparedWorkspace workspace() {
            if (!tried && changeSet != null) {
                tried = true;
                workspace =
                        attestations
                                .verificationOf(project, changeSet.sha256())
                                .flatMap(verifications::submission)
                                .flatMap(this::materialise)
                                .orElse(null);
            }
            return workspace;
        }

        private Optional<PreparedWorkspace> materialise(Submission submission) {
            try {
                Materialised materialised =
                        workspaces.materialise(
                                project,
                                submission.workspace(),
                                new WorkspaceInput.None(),
                                null,
                                "",
                                ids.next());
                return switch (materialised) {
                    case Materialised.Ready ready -> Optional.of(ready.workspace());
                    case Materialised.Refused _ -> Optional.empty();
                };
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            if (workspace != null) {
                workspace.close();
            }
        }
    }
}
