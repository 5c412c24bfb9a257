package io.countersign.artefact;

import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;

import jakarta.annotation.security.RolesAllowed;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;

@RestController
class WorkspaceController {
    private final Workspaces workspaces;
    private final long maxArchive;

    WorkspaceController(Workspaces workspaces, WorkspaceProperties properties) {
        this.workspaces = workspaces;
        this.maxArchive = properties.maxArchive().toBytes();
    }

    /** The body is the archive itself; a form would have been read as parameters by now. */
    @PostMapping(
            path = "/v1/workspaces",
            consumes = {
                "!" + MediaType.APPLICATION_FORM_URLENCODED_VALUE,
                "!" + MediaType.MULTIPART_FORM_DATA_VALUE
            })
    @ResponseStatus(HttpStatus.CREATED)
    @RolesAllowed("submitter")
    StoredArchive upload(Caller caller, @RequestParam String project, HttpServletRequest request)
            throws IOException {
        ProjectId id = ProjectId.parse("?project", project);
        caller.demand(id);
        if (request.getContentLengthLong() > maxArchive) {
            throw new ProblemException(
                    ProblemCode.TOO_LARGE, "the archive is larger than " + maxArchive + " bytes");
        }
        return workspaces.upload(id, request.getInputStream());
    }
}
