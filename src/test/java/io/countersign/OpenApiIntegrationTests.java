package io.countersign;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.GeneratedDoc;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import java.nio.file.Path;

/** The committed contract is the one that the code serves. */
@IntegrationTest
class OpenApiIntegrationTests {
    @Autowired ServiceClient client;

    @Test
    void theCommittedDocumentIsWhatTheServiceServes() {
        Answer answer = client.get("/v3/api-docs.yaml");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        String document =
                answer.text().replaceAll("http://127\\.0\\.0\\.1:\\d+", "http://localhost:8080");
        GeneratedDoc.assertFile(Path.of("docs/openapi.yaml"), document);
    }
}
