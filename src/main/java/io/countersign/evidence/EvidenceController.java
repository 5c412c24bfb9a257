package io.countersign.evidence;

import io.countersign.kernel.AnyCaller;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says what a document is worth, before a verification rests on it. It stores nothing. */
@RestController
class EvidenceController {
    /**
     * @param valid whether the document keeps every rule
     * @param status what it is worth; null when it is refused
     * @param eligible whether assertions may rest on it
     * @param problems why it is refused
     * @param boundaries what each boundary is worth; null when it is refused
     */
    record Answer(
            boolean valid,
            @Nullable String status,
            boolean eligible,
            List<EvidenceProblem> problems,
            @Nullable Map<String, String> boundaries) {}

    @AnyCaller
    @PostMapping("/v1/runtime-evidence/validate")
    Answer validate(@RequestBody JsonNode document) {
        return switch (EvidenceValidator.validate(document)) {
            case Validation.Valid valid -> answer(valid.evidence());
            case Validation.Refused refused ->
                    new Answer(false, null, false, refused.problems(), null);
        };
    }

    private static Answer answer(ValidatedEvidence evidence) {
        Map<String, String> boundaries = new LinkedHashMap<>();
        evidence.boundaries()
                .forEach((boundary, status) -> boundaries.put(boundary.wire(), status.wire()));
        return new Answer(
                true, evidence.status().wire(), evidence.eligible(), List.of(), boundaries);
    }
}
