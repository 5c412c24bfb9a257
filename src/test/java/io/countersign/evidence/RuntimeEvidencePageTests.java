package io.countersign.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The document of the reference page is one. */
class RuntimeEvidencePageTests {
    @Test
    void theExampleIsCompleteEvidence() throws IOException {
        String page = Files.readString(Path.of("docs/runtime-evidence.md"));
        Matcher example = Pattern.compile("(?ms)^```json\\n(.*?)^```$").matcher(page);
        assertThat(example.find()).isTrue();
        ValidatedEvidence evidence =
                Documents.valid(JsonMapper.shared().readTree(example.group(1)));
        assertThat(evidence.eligible()).isTrue();
        assertThat(evidence.boundary(Boundary.NATIVE)).isEqualTo(EvidenceStatus.COMPLETE);
    }
}
