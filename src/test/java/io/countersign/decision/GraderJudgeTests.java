package io.countersign.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.WorkspacePath;
import io.countersign.decision.ChangeSetBody.Judged;
import io.countersign.grader.FrozenFiles;
import io.countersign.kernel.Sha256;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** What a grader is shown of a bundle, and what is stored of it. */
class GraderJudgeTests {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Test
    void quotedEvidenceIsReadableAsTheFilesThatItNames() throws IOException {
        FrozenFiles files =
                BundleFiles.of(
                        JSON.readTree(
                                """
                                {"evidence": [
                                  {"ref": "src/x.py:10", "literal": "def f(:"},
                                  {"ref": "src/x.py:20-22", "literal": "return"},
                                  {"ref": "page.png"}, {"literal": "no ref"}]}
                                """));

        assertThat(files.list()).extracting(FrozenFiles.Entry::path).containsExactly("src/x.py");
        assertThat(new String(files.read("src/x.py", 100), StandardCharsets.UTF_8))
                .isEqualTo("def f(:\nreturn");
        assertThat(files.read("src/x.py", 3)).hasSize(3);
        assertThat(files.find("page.png")).isEmpty();
    }

    @Test
    void aChangeSetReadsBackAsItWasWritten() {
        NavigableMap<WorkspacePath, Optional<Sha256>> files = new TreeMap<>();
        files.put(new WorkspacePath("a"), Optional.of(Sha256.of("a")));
        files.put(new WorkspacePath("gone"), Optional.empty());
        Judged judged = Judged.of(files);

        assertThat(Judged.read(judged.json())).isEqualTo(judged);
        assertThat(judged.known().sha256()).isEqualTo(judged.sha256());
    }

    @Test
    void documentsAreStoredScrubbedAtEveryDepth() {
        String secret = "gh" + "p_" + "a1B2".repeat(9);
        JsonNode document =
                JSON.readTree("{\"a\": [{\"b\": \"saw %s\"}], \"n\": 1}".formatted(secret));

        assertThat(Scrubbed.copy(document).toString())
                .isEqualTo("{\"a\":[{\"b\":\"saw [REDACTED]\"}],\"n\":1}");
    }
}
