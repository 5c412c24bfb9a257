package io.countersign.verification;

import io.countersign.artefact.ReceivedArchive;
import io.countersign.artefact.Workspaces;
import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.StoredAnswer;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Submit, read, wait, cancel, rerun. */
@RestController
@RequestMapping("/v1/verifications")
@Tag(name = "Verifications")
class VerificationController {
    private static final String PREFER = "Prefer";

    private final Verifications verifications;
    private final Submissions submissions;
    private final Workspaces workspaces;
    private final IdempotencyKeys keys;

    VerificationController(
            Verifications verifications,
            Submissions submissions,
            Workspaces workspaces,
            IdempotencyKeys keys) {
        this.verifications = verifications;
        this.submissions = submissions;
        this.workspaces = workspaces;
        this.keys = keys;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @RolesAllowed({"requester", "submitter"})
    @Operation(summary = "Verify work against its Definition of Done")
    ResponseEntity<Map<String, @Nullable Object>> submit(
            Caller caller,
            IdempotentRequest idempotent,
            @RequestHeader(name = PREFER, required = false) @Nullable String prefer,
            @RequestBody VerificationRequest request)
            throws InterruptedException {
        return submitted(
                caller,
                idempotent,
                prefer,
                () -> verifications.submit(caller, submissions.read(caller, request, null, null)));
    }

    @PostMapping(consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
    @RolesAllowed({"requester", "submitter"})
    @Operation(summary = "Verify work whose workspace comes as an archive")
    ResponseEntity<Map<String, @Nullable Object>> submitArchive(
            Caller caller,
            IdempotentRequest idempotent,
            @RequestHeader(name = PREFER, required = false) @Nullable String prefer,
            @RequestPart("request") VerificationRequest request,
            @RequestPart("workspace") MultipartFile workspace,
            @RequestPart(name = "base", required = false) @Nullable MultipartFile base)
            throws InterruptedException {
        ProjectId project = Submissions.project(caller, request.project());
        StoredAnswer first;
        // Received outside of the transaction, stored in it: what is refused leaves nothing behind.
        try (ReceivedArchive received = receive(project, workspace);
                ReceivedArchive receivedBase = base == null ? null : receive(project, base)) {
            first =
                    queued(
                            idempotent,
                            () ->
                                    verifications.submit(
                                            caller,
                                            submissions.read(
                                                    caller,
                                                    request,
                                                    received.store().input(),
                                                    receivedBase == null
                                                            ? null
                                                            : receivedBase.store().input())));
        }
        return answer(caller, first, prefer);
    }

    private ReceivedArchive receive(ProjectId project, MultipartFile archive) {
        try (InputStream bytes = archive.getInputStream()) {
            return workspaces.receive(project, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read an uploaded part", e);
        }
    }

    @GetMapping("/{id}")
    @RolesAllowed("reader")
    @Operation(summary = "Read a verification, and wait for its verdict if asked to")
    Map<String, @Nullable Object> read(
            Caller caller,
            @PathVariable String id,
            @RequestParam(required = false) @Nullable Integer wait)
            throws InterruptedException {
        return verifications.view(read(caller, VerificationId.parse(id), Waiting.parameter(wait)));
    }

    private VerificationRow read(Caller caller, VerificationId id, Duration patience)
            throws InterruptedException {
        VerificationRow row = verifications.row(caller, id);
        return patience.isZero() ? row : verifications.awaited(id, patience);
    }

    @PostMapping("/{id}/cancel")
    @RolesAllowed({"requester", "submitter"})
    @Operation(summary = "Stop a verification's work")
    Map<String, @Nullable Object> cancel(Caller caller, @PathVariable String id)
            throws InterruptedException {
        VerificationId verification = VerificationId.parse(id);
        verifications.cancel(caller, verification);
        return verifications.view(verifications.awaited(verification, Duration.ofSeconds(5)));
    }

    @PostMapping("/{id}/rerun")
    @RolesAllowed({"requester", "submitter"})
    @Operation(summary = "Verify the same input once more")
    ResponseEntity<Map<String, @Nullable Object>> rerun(
            Caller caller,
            IdempotentRequest idempotent,
            @RequestHeader(name = PREFER, required = false) @Nullable String prefer,
            @PathVariable String id)
            throws InterruptedException {
        return submitted(
                caller,
                idempotent,
                prefer,
                () -> verifications.rerun(caller, VerificationId.parse(id)));
    }

    private ResponseEntity<Map<String, @Nullable Object>> submitted(
            Caller caller,
            IdempotentRequest idempotent,
            @Nullable String prefer,
            Supplier<VerificationId> effect)
            throws InterruptedException {
        return answer(caller, queued(idempotent, effect), prefer);
    }

    private StoredAnswer queued(IdempotentRequest idempotent, Supplier<VerificationId> effect) {
        return keys.once(
                idempotent,
                () -> {
                    String path = "/v1/verifications/" + effect.get();
                    return ResponseEntity.accepted().location(URI.create(path)).build();
                });
    }

    /** 202 with the verification, or 200 with the finished one when the wait was enough. */
    private ResponseEntity<Map<String, @Nullable Object>> answer(
            Caller caller, StoredAnswer first, @Nullable String prefer)
            throws InterruptedException {
        String location = Objects.requireNonNull(first.headers().get(HttpHeaders.LOCATION));
        VerificationId id = VerificationId.parse(location.substring(location.lastIndexOf('/') + 1));
        Duration patience = Waiting.preferred(prefer);
        VerificationRow row =
                first.repeated()
                        ? read(caller, id, patience)
                        : verifications.awaitedFromQueue(id, patience);
        ResponseEntity.BodyBuilder response =
                row.concluded() && !patience.isZero()
                        ? ResponseEntity.ok()
                        : ResponseEntity.accepted();
        response.location(URI.create(location));
        if (!patience.isZero())
            response.header("Preference-Applied", "wait=" + patience.toSeconds());
        if (first.repeated()) response.header("Idempotency-Replayed", "true");
        return response.body(verifications.view(row));
    }
}
