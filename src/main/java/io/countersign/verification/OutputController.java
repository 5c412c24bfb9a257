package io.countersign.verification;

import io.countersign.check.CapturedText;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.annotation.security.RolesAllowed;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.nio.charset.StandardCharsets;

/** What a check's command wrote, scrubbed and bounded. */
@RestController
@Tag(name = "Verifications")
class OutputController {
    private static final MediaType TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8);

    private final Verifications verifications;
    private final CheckResults checkResults;

    OutputController(Verifications verifications, CheckResults checkResults) {
        this.verifications = verifications;
        this.checkResults = checkResults;
    }

    @GetMapping("/v1/verifications/{id}/checks/{index}/output")
    @RolesAllowed("reader")
    @Operation(summary = "Download what a check's command wrote")
    ResponseEntity<String> output(
            Caller caller,
            @PathVariable String id,
            @PathVariable int index,
            @RequestParam(defaultValue = "stdout") String stream) {
        if (!stream.equals("stdout") && !stream.equals("stderr")) {
            throw ProblemException.invalid("?stream", "is stdout or stderr");
        }
        VerificationId verification = VerificationId.parse(id);
        verifications.row(caller, verification);
        CapturedText text =
                checkResults
                        .output(verification, index, stream)
                        .orElseThrow(
                                () ->
                                        ProblemException.notFound(
                                                "check "
                                                        + index
                                                        + " has no captured "
                                                        + stream
                                                        + ": it ran no command, or the retention"
                                                        + " time is over"));
        return ResponseEntity.ok()
                .contentType(TEXT)
                .header("X-Content-Type-Options", "nosniff")
                .header("Countersign-Output-Bytes", Long.toString(text.bytes()))
                .header("Countersign-Output-Truncated", Boolean.toString(text.truncated()))
                .body(text.text());
    }
}
