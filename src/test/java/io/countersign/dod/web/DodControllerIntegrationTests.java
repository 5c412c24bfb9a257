package io.countersign.dod.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import java.util.Map;

@IntegrationTest
class DodControllerIntegrationTests {
    @Autowired ServiceClient client;

    @Test
    void answersTheDefinitionWithItsDiagnostics() {
        String text = "[acceptance]\nkind: checker\n- check: testsPass min=2\n[/acceptance]";
        ServiceClient.Answer answer =
                client.post("/v1/dod/parse", Map.of("text", text, "source", "annotation"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.at("/dod"))
                .isEqualTo(
                        ServiceClient.JSON.readTree(
                                """
                                {"kind": "deterministic", "source": "annotation",
                                 "deliverable": null,
                                 "checks": [{"index": 0, "kind": "testsPass", "min": 2, "line": 3}],
                                 "criteria": [],
                                 "diagnostics": [
                                   {"severity": "warning", "line": 2, "column": 1,
                                    "code": "kind-mismatch",
                                    "message": "the kind \\"checker\\" (line 2) is not believed, \
                                the contents make it deterministic"},
                                   {"severity": "warning", "line": 3, "column": 1,
                                    "code": "list-marker",
                                    "message": "the list marker before check is not needed \
                                (line 3)"}]}
                                """));
        assertThat(answer.at("/reason").isNull()).isTrue();
        assertThat(answer.at("/diagnostics")).isEqualTo(answer.at("/dod/diagnostics"));
    }

    @Test
    void saysWhyThereIsNoBlock() {
        ServiceClient.Answer none = client.post("/v1/dod/parse", Map.of("text", "Do it."));
        assertThat(none.status()).isEqualTo(200);
        assertThat(none.at("/dod").isNull()).isTrue();
        assertThat(none.at("/reason").asString()).contains("no [acceptance] block");
        ServiceClient.Answer half = client.post("/v1/dod/parse", Map.of("text", "\n[dod]\n"));
        assertThat(half.at("/dod").isNull()).isTrue();
        assertThat(half.at("/reason").asString()).isEqualTo("[dod] is never closed (line 2)");
        assertThat(half.at("/diagnostics/0/code").asString()).isEqualTo("lone-tag");
    }

    @Test
    void namesTheLimitThatWasPassed() {
        String text = "[dod]\n" + "check: testsPass\n".repeat(101) + "[/dod]";
        ServiceClient.Answer answer = client.post("/v1/dod/parse", Map.of("text", text));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.at("/code").asString()).isEqualTo("dod-limit");
        assertThat(answer.at("/limit").asString()).isEqualTo("checks");
        assertThat(answer.at("/maximum").intValue()).isEqualTo(100);
    }

    @Test
    void refusesAWrongRequest() {
        assertThat(client.post("/v1/dod/parse", Map.of()).status()).isEqualTo(422);
        assertThat(client.post("/v1/dod/parse", Map.of("text", "", "source", "inferred")).text())
                .contains("/source");
        assertThat(client.post("/v1/dod/parse", Map.of("text", "", "sauce", "")).status())
                .isEqualTo(422);
        assertThat(client.anonymous().post("/v1/dod/parse", Map.of("text", "")).status())
                .isEqualTo(401);
    }

    @Test
    void infersADefinitionThatIsNeverVacuous() {
        ServiceClient.Answer answer =
                client.post(
                        "/v1/dod/infer",
                        Map.of("dispatch", "Fix it", "hints", Map.of("testCommand", "npm test")));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.at("/category").asString()).isEqualTo("bugfix");
        assertThat(answer.at("/dod/source").asString()).isEqualTo("inferred");
        assertThat(answer.at("/dod/checks/0/command").asString()).isEqualTo("npm test");
        ServiceClient.Answer bare = client.post("/v1/dod/infer", Map.of("dispatch", ""));
        assertThat(bare.at("/dod/kind").asString()).isEqualTo("checker");
        assertThat(client.post("/v1/dod/infer", Map.of()).status()).isEqualTo(422);
    }
}
