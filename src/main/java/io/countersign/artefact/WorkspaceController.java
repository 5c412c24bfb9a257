package io.countersign.artefact;

import io.countersign.audit.AuditLog;
import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.annotation.security.RolesAllowed;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriUtils;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

@RestController
@Tag(name = "Workspaces")
class WorkspaceController {
    private final Workspaces workspaces;
    private final IdempotencyKeys idempotency;
    private final AuditLog audit;
    private final long maxArchive;

    WorkspaceController(
            Workspaces workspaces,
            IdempotencyKeys idempotency,
            AuditLog audit,
            WorkspaceProperties properties) {
        this.workspaces = workspaces;
        this.idempotency = idempotency;
        this.audit = audit;
        this.maxArchive = properties.maxArchive().toBytes();
    }

    /**
     * The body is the archive itself, whatever its content type says; curl says that it is a form.
     * That is why the query is read here: asking the container for a parameter would make it read
     * the body of a form for more of them.
     */
    @PostMapping(path = "/v1/workspaces", consumes = "!" + MediaType.MULTIPART_FORM_DATA_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    @RolesAllowed("submitter")
    @Operation(
            summary = "Upload an archive, to be named by its digest",
            parameters =
                    @Parameter(
                            name = "project",
                            in = ParameterIn.QUERY,
                            required = true,
                            schema = @Schema(type = "string")),
            requestBody =
                    @RequestBody(
                            required = true,
                            description = ".tar, .tar.gz, .tar.zst or .zip",
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                                            schema = @Schema(type = "string", format = "binary"))))
    ResponseEntity<StoredArchive> upload(
            Caller caller, IdempotentRequest once, HttpServletRequest request) throws IOException {
        ProjectId project = ProjectId.parse("?project", project(request));
        caller.demand(project);
        if (request.getContentLengthLong() > maxArchive) {
            throw new ProblemException(
                    ProblemCode.TOO_LARGE, "the archive is larger than " + maxArchive + " bytes");
        }
        try (ReceivedArchive received = workspaces.receive(project, request.getInputStream())) {
            return idempotency.once(once, () -> store(caller, project, received)).toResponse();
        }
    }

    private ResponseEntity<StoredArchive> store(
            Caller caller, ProjectId project, ReceivedArchive received) {
        StoredArchive stored = received.store();
        audit.record(
                caller,
                project,
                "workspace.uploaded",
                stored.sha256().hex(),
                Map.of("bytes", stored.bytes(), "files", stored.files()));
        return ResponseEntity.status(HttpStatus.CREATED).body(stored);
    }

    private static String project(HttpServletRequest request) {
        String project =
                ServletUriComponentsBuilder.fromRequest(request)
                        .build()
                        .getQueryParams()
                        .getFirst("project");
        if (project == null) {
            throw ProblemException.invalid("?project", "is needed: name or owner/name");
        }
        try {
            return UriUtils.decode(project, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid("?project", "has a broken percent escape");
        }
    }
}
