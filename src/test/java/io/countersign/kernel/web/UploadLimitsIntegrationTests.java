package io.countersign.kernel.web;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;

/** Uploads over the limits of the container, which are small here. */
@IntegrationTest(
        properties = {
            "spring.servlet.multipart.max-file-size=10KB",
            "spring.servlet.multipart.max-request-size=20KB",
            "server.tomcat.max-part-count=4"
        })
class UploadLimitsIntegrationTests {
    private static final String HEAD =
            "--x\r\nContent-Disposition: form-data; name=\"workspace\"; filename=\"w.tar\"";

    @Autowired ServiceClient client;

    @ParameterizedTest
    @CsvSource({
        "1,     11000, 1,    413, too-large",
        "2,     9000,  1,    422, invalid-request",
        "3,     9000,  1,    413, too-large",
        "5,     10,    1,    413, too-large",
        "1,     10,    9000, 413, too-large",
        "0,     0,     1,    422, invalid-request"
    })
    void saysThatAnUploadIsTooLarge(int parts, int bytes, int header, int status, String code) {
        String more = "\r\nX-More: " + "x".repeat(header) + "\r\n\r\n";
        String body =
                parts == 0
                        ? "no parts at all"
                        : (HEAD + more + "a".repeat(bytes) + "\r\n").repeat(parts) + "--x--\r\n";

        Answer answer =
                client.upload(
                        "/v1/verifications",
                        "multipart/form-data; boundary=x",
                        body.getBytes(UTF_8));

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.at("/code").asString()).isEqualTo(code);
    }
}
