package io.countersign.verification;

import static java.util.Objects.requireNonNullElse;

import io.countersign.artefact.DeclaredFile;
import io.countersign.artefact.WorkspaceInput;
import io.countersign.artefact.WorkspaceRequest;
import io.countersign.artefact.Workspaces;
import io.countersign.dod.Hints;
import io.countersign.evidence.EvidenceValidator;
import io.countersign.evidence.Validation;
import io.countersign.gate.Mode;
import io.countersign.gate.Wiring;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;
import io.countersign.kernel.ProjectId;
import io.countersign.verification.VerificationRequest.ArtefactRequest;
import io.countersign.verification.VerificationRequest.ProducerRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Turns a request body into a {@link Submission}: validated, frozen, and no more believed than due.
 */
@Component
public class Submissions {
    /** Names stand in indexes beside a project; an index row of PostgreSQL has 2,704 bytes. */
    private static final int LONGEST_NAME = 500;

    private static final WorkspaceInput NO_WORKSPACE = new WorkspaceInput.None();

    private final Workspaces workspaces;
    private final Callbacks callbacks;

    Submissions(Workspaces workspaces, Callbacks callbacks) {
        this.workspaces = workspaces;
        this.callbacks = callbacks;
    }

    /** The project that a body names, within the caller's reach. */
    public static ProjectId project(Caller caller, @Nullable String project) {
        if (project == null || project.isBlank()) {
            throw ProblemException.invalid("/project", "is required: name or owner/name");
        }
        ProjectId id = ProjectId.parse("/project", project);
        caller.demand(id);
        return id;
    }

    /**
     * Reads a body whose workspace stands in it.
     *
     * @throws ProblemException 422 that names the member, 403 for a project out of reach
     */
    public Submission read(Caller caller, VerificationRequest request) {
        return read(caller, request, null, null);
    }

    /**
     * Reads a body.
     *
     * @param workspace an archive that came as a part of the request; null when none did
     * @param base the same for the workspace before the work
     * @throws ProblemException 422 that names the member, 403 for a project out of reach
     */
    Submission read(
            Caller caller,
            VerificationRequest request,
            @Nullable WorkspaceInput workspace,
            @Nullable WorkspaceInput base) {
        ProjectId project = project(caller, request.project());
        Producer producer = Trust.believed(caller, producer(request.producer()));
        WorkspaceInput input = input(project, "/workspace", request.workspace(), workspace);
        ArtefactRequest artefact = request.artefact();
        return new Submission(
                project,
                requireNonNullElse(
                        choice("/mode", Mode.values(), Mode::wire, request.mode()), Mode.DISPATCH),
                requireNonNullElse(
                        choice("/wiring", Wiring.values(), Wiring::wire, request.wiring()),
                        Wiring.ADVISORY),
                request.acceptance(),
                request.dispatch() == null ? "" : request.dispatch(),
                Boolean.TRUE.equals(request.trivial()),
                Trust.author(caller, producer),
                producer,
                artefact == null || artefact.finalReturnText() == null
                        ? ""
                        : artefact.finalReturnText(),
                artefact == null || artefact.changedFiles() == null
                        ? null
                        : DeclaredFile.read("/artefact/changedFiles", artefact.changedFiles()),
                artefact == null || artefact.declaredOutputs() == null
                        ? List.of()
                        : artefact.declaredOutputs(),
                input,
                input(project, "/base", request.base(), base),
                workspaces.cwd("/cwd", input, request.cwd()),
                request.hints() == null ? Hints.NONE : request.hints(),
                evidence(request.runtimeEvidence()),
                limits(request.limits()),
                callback(project, request.callback()),
                List.of(),
                false,
                null);
    }

    private WorkspaceInput input(
            ProjectId project,
            String pointer,
            @Nullable WorkspaceRequest request,
            @Nullable WorkspaceInput part) {
        if (part == null) {
            return request == null ? NO_WORKSPACE : workspaces.freeze(project, pointer, request);
        }
        if (request != null) {
            throw ProblemException.invalid(
                    pointer, "is given twice: as a member of the request and as a part");
        }
        return part;
    }

    private static Producer producer(@Nullable ProducerRequest request) {
        if (request == null) return new Producer(null, null, null, null, null);
        return new Producer(
                name("/producer/id", request.id()),
                name("/producer/drafterId", request.drafterId()),
                name("/producer/tier", request.tier()),
                name("/producer/model", request.model()),
                request.error());
    }

    private static @Nullable String name(String pointer, @Nullable String text) {
        if (text != null && text.length() > LONGEST_NAME) {
            throw ProblemException.invalid(pointer, "has at most " + LONGEST_NAME + " characters");
        }
        return text;
    }

    private static Submission.Limits limits(Submission.@Nullable Limits limits) {
        if (limits == null) return Submission.Limits.NONE;
        positive("/limits/gateBudgetMs", limits.gateBudgetMs());
        positive("/limits/checkTimeoutMs", limits.checkTimeoutMs());
        positive("/limits/graderTimeoutMs", limits.graderTimeoutMs());
        return limits;
    }

    private static void positive(String pointer, @Nullable Long millis) {
        if (millis != null && millis <= 0) {
            throw ProblemException.invalid(pointer, "is a positive number of milliseconds");
        }
    }

    private @Nullable URI callback(
            ProjectId project, VerificationRequest.@Nullable CallbackRequest callback) {
        if (callback == null || callback.url() == null) return null;
        return callbacks.validate(project, callback.url());
    }

    /** The document as it may be stored: validated, every dynamic value redacted. */
    private static @Nullable JsonNode evidence(@Nullable JsonNode document) {
        if (document == null || document.isNull() || document.isEmpty()) return null;
        return switch (EvidenceValidator.validate(document)) {
            case Validation.Valid valid -> valid.evidence().document();
            case Validation.Refused refused ->
                    throw ProblemException.invalid(
                            refused.problems().stream()
                                    .map(
                                            problem ->
                                                    new FieldError(
                                                            "/runtimeEvidence" + problem.pointer(),
                                                            problem.message()))
                                    .toList());
        };
    }

    /**
     * The value that a text names; null for none.
     *
     * @throws ProblemException 422 when no value has that name
     */
    static <T> @Nullable T choice(
            String pointer, T[] values, Function<T, String> wire, @Nullable String text) {
        if (text == null) return null;
        return Arrays.stream(values)
                .filter(value -> wire.apply(value).equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                ProblemException.invalid(
                                        pointer,
                                        "is one of " + Arrays.stream(values).map(wire).toList()));
    }
}
