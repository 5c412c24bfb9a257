package io.countersign.kernel.web;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;

@IntegrationTest
@Import(ProbeController.class)
class DoorIntegrationTests {
    private static final String GOOD = "{\"name\":\"a\",\"number\":1,\"flag\":true}";

    @Autowired ServiceClient client;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\":\"a\",\"number\":1,\"flag\":true,\"nmae\":1} | 422 | unknown-field | /nmae",
                "{\"name\":\"a\",\"inner\":{\"count\":1,\"cuont\":1}} | 422 | unknown-field | /inner/cuont",
                "{\"name\":\"a\",\"list\":[{\"count\":1},{\"count\":1,\"x~/y\":1}]} | 422 | unknown-field |"
                        + " /list/1/x~0~1y",
                "{\"name\":5} | 422 | invalid-request | /name",
                "{\"name\":true} | 422 | invalid-request | /name",
                "{\"name\":[\"a\"]} | 422 | invalid-request | /name",
                "{\"name\":\"a\",\"number\":\"5\"} | 422 | invalid-request | /number",
                "{\"name\":\"a\",\"number\":5.5} | 422 | invalid-request | /number",
                "{\"name\":\"a\",\"number\":5000000000} | 422 | invalid-request | /number",
                "{\"name\":\"a\",\"number\":null} | 422 | invalid-request | /number",
                "{\"name\":\"a\",\"flag\":1} | 422 | invalid-request | /flag",
                "{\"name\":\"a\",\"flag\":\"true\"} | 422 | invalid-request | /flag",
                "{\"name\":\"a\",\"colour\":\"BLUE\"} | 422 | invalid-request | /colour",
                "{\"name\":\"a\",\"colour\":0} | 422 | invalid-request | /colour",
                "{\"name\":\"a\",\"at\":\"yesterday\"} | 422 | invalid-request | /at",
                "{\"name\":\"a\",\"list\":{\"count\":1}} | 422 | invalid-request | /list",
                "{\"name\":\"a\",\"list\":[{\"count\":1},{\"count\":-1}]} | 422 | invalid-request |"
                        + " /list/1",
                "{\"name\":\"bad\",\"number\":1,\"flag\":true} | 422 | invalid-request | /name",
                "{\"number\":1,\"flag\":true} | 422 | invalid-request | /name",
                "{\"name\":null,\"number\":1,\"flag\":true} | 422 | invalid-request | /name",
                "{\"name\":\"a\",\"flag\":true} | 422 | invalid-request | /number",
                "{\"name\":\"a\",\"number\":1,\"flag\":true,\"list\":[null]} | 422 |"
                        + " invalid-request | /list/0",
                "{\"name\":\"a\\u0000b\"} | 422 | invalid-request | ``",
                "{\"name\":\"a\\\\\\u0000b\"} | 422 | invalid-request | ``",
                "{\"name\":\"a\",\"open\":{\"\\u0000\":1}} | 422 | invalid-request | ``",
                "[] | 422 | invalid-request | ``",
                "{\"name\":\"a\",\"number\":1,\"flag\":true} {} | 400 | unreadable-json |",
                "{\"name\":\"a\",\"name\":\"b\"} | 400 | unreadable-json |",
                "{\"name\":\"a\",\"open\":{\"x\":1,\"x\":2}} | 400 | unreadable-json |",
                "{\"name\":\"a\",\"number\":NaN} | 400 | unreadable-json |",
                "{\"name\":\"a\" | 400 | unreadable-json |",
                "{name:1} | 400 | unreadable-json |",
                "`` | 400 | unreadable-json |",
            })
    void saysWhatIsWrongWithABody(String body, int status, String code, String pointer) {
        Answer answer = client.post("/probe", body);

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertProblem(answer, code);
        if (pointer != null) {
            assertThat(answer.at("/errors/0/pointer").asString()).startsWith(pointer);
            assertThat(answer.at("/errors/0/message").asString()).isNotBlank();
        }
        assertThat(answer.text())
                .doesNotContain("io.countersign", "tools.jackson", "java.", "Probe");
    }

    @Test
    void takesWhatIsRight() {
        Answer answer =
                client.post("/probe", "{\"name\":\"a \\\\u0000 b\",\"number\":0,\"flag\":false}");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.at("/name").asString()).isEqualTo("a \\u0000 b");
        assertThat(answer.at("/number").asInt()).isZero();
    }

    @Test
    void refusesJsonThatIsTooDeepOrTooLarge() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);
        Answer tooDeep = client.post("/probe", "{\"name\":\"a\",\"open\":" + deep + "}");
        Answer tooLarge = client.post("/probe", "{\"name\":\"" + "x".repeat(9 << 20) + "\"}");
        Answer unsized =
                client.send(
                        client.request("/probe")
                                .header("Content-Type", "application/json")
                                .POST(
                                        BodyPublishers.fromPublisher(
                                                BodyPublishers.ofString(
                                                        "{\"name\":\""
                                                                + "x".repeat(9 << 20)
                                                                + "\"}"))));

        assertThat(tooDeep.status()).isEqualTo(400);
        assertProblem(tooDeep, "unreadable-json");
        assertThat(tooLarge.status()).isEqualTo(413);
        assertProblem(tooLarge, "too-large");
        assertThat(unsized.status()).isEqualTo(413);
        assertProblem(unsized, "too-large");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json;charset=UTF-16,   415",
        "application/json;charset=IBM037,   415",
        "text/plain,                        415",
        "application/xml,                   415",
        "application/json;charset=utf-8,    200",
        "application/vnd.countersign+json,  200"
    })
    void readsUtf8JsonOnly(String type, int status) {
        assertThat(client.upload("/probe", type, GOOD.getBytes(UTF_8)).status()).isEqualTo(status);
    }

    @Test
    void refusesUtf16InDisguise() {
        byte[] utf16 = GOOD.getBytes(UTF_16BE);

        Answer answer = client.upload("/probe", "application/json", utf16);

        assertThat(answer.status()).isEqualTo(400);
        assertProblem(answer, "unreadable-json");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /nowhere,                                                    404, not-found",
        "GET,    /probe/who/there,                                            404, not-found",
        "DELETE, /probe,                                                      405, method-not-allowed",
        "GET,    /probe/not-an-id?limit=1,                                    404, not-found",
        "GET,    /probe/01980000-0000-7000-8000-000000000000,                 422, invalid-request",
        "GET,    /probe/01980000-0000-7000-8000-000000000000?limit=x,         422, invalid-request",
        "GET,    /probe/01980000-0000-7000-8000-000000000000?limit=1&q=%00,   400, unreadable-request",
        "GET,    /probe/broken,                                               500, internal",
        "GET,    /probe/busy,                                                 429, queue-full",
        "GET,    /probe/silent,                                               403, forbidden",
        "GET,    /probe//who,                                                 400, unreadable-request",
        "GET,    /probe/%2e%2e/who,                                           400, unreadable-request",
    })
    void answersEveryFailureAsProblemDetails(String method, String path, int status, String code) {
        Answer answer = client.send(client.request(path).method(method, BodyPublishers.noBody()));

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        if (status >= 400) {
            assertProblem(answer, code);
        }
        assertThat(answer.text()).doesNotContain("secret_column", "select", "SQL", "at io.");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/verifications?acepted=false,          ?acepted",
        "/v1/verifications?,                       ''",
        "/v1/verifications?limit=1&,               ''",
        "/v1/verifications?limit=1&limit=200,      ?limit",
        "/v1/verifications?foo,                    ?foo",
        "/v1/verifications?l%69mit=1,              ''",
        "/v1/verifications?LIMIT=1,                ?LIMIT",
        "/v1/verifications?x=%zz,                  ?x",
        "/v1/stats?group=cause,                    ?group",
        "/v1/audit?project=acme/shop&subjct=a,     ?subjct",
        "/v1/principals?kind=agent,                ?kind",
        "/v1/delegations?project=p&state=open,     ?state",
        "/v1/decisions?project=p&review=1,         ?review",
        "/v1/projects/p?full=true,                 ?full",
        "/probe/who?name=x,                        ?name",
    })
    void aMisspeltParameterNeverPassesForASetOne(String path, String pointer) throws Exception {
        String answer = raw(path);
        if (pointer.isEmpty()) {
            assertThat(answer).startsWith("HTTP/1.1 200");
        } else {
            assertThat(answer)
                    .startsWith("HTTP/1.1 422")
                    .contains("\"pointer\":\"" + pointer + '"');
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "request workspace           | 200 |",
                "request workspace base      | 200 |",
                "request workspace bsae      | 422 | /bsae",
                "request workspace workspace | 422 | /workspace",
                "request request workspace   | 422 | /request",
                "request workspace base base | 422 | /base",
                "request                     | 422 | /workspace",
                "workspace                   | 422 | /request",
            })
    void aMisspeltPartNeverPassesForASetOne(String parts, int status, String pointer) {
        StringBuilder body = new StringBuilder();
        for (String part : parts.split(" ")) {
            body.append("--x\r\nContent-Disposition: form-data; name=\"").append(part);
            body.append(
                    part.equals("request")
                            ? "\"\r\nContent-Type: application/json\r\n\r\n" + GOOD
                            : "\"; filename=\"f\"\r\n\r\nbytes");
            body.append("\r\n");
        }
        body.append("--x--\r\n");

        Answer answer =
                client.upload(
                        "/probe/upload",
                        "multipart/form-data; boundary=x",
                        body.toString().getBytes(UTF_8));

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        if (pointer != null) {
            assertThat(answer.at("/errors/0/pointer").asString()).isEqualTo(pointer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/verifications?path=%zz",
                "/v1/verifications?path=%FF%FE",
                "/v1/verifications?path=%",
                "/v1/verifications?%zz=1",
                "/v1/stats?from=%zz",
                "/v1/workspaces?project=%zz",
                "/v1/audit?project=%FF",
                "/probe/busy?%",
            })
    void aQueryThatCannotBeDecodedIsTheCallers(String path) throws Exception {
        assertThat(raw(path))
                .startsWith("HTTP/1.1 4")
                .contains("application/problem+json")
                .doesNotContain("Tomcat", "org.");
    }

    @Test
    void saysWhenToComeBackAndWhy() {
        Answer answer = client.get("/probe/busy");

        assertThat(answer.header("Retry-After")).contains("7");
        assertThat(answer.at("/waiting").asInt()).isEqualTo(10_000);
    }

    @Test
    void answersProblemsWhateverTheCallerAccepts() {
        Answer answer = client.with("Accept", "text/event-stream").get("/nowhere");

        assertThat(answer.status()).isEqualTo(404);
        assertProblem(answer, "not-found");
        assertThat(client.with("Accept", "image/png").post("/probe", GOOD).status()).isEqualTo(406);
    }

    @Test
    void givesEveryRequestAnId() {
        assertThat(client.with("X-Request-Id", "run-42").get("/probe/who").header("X-Request-Id"))
                .contains("run-42");
        assertThat(
                        client.with("X-Request-Id", "two words")
                                .get("/probe/who")
                                .header("X-Request-Id"))
                .get()
                .asString()
                .matches("[0-9a-f-]{36}");
        assertThat(client.get("/nowhere").header("X-Request-Id")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/%zz", "/v1/%00", "/v1/a%2fb", "/v1/a%5cb", "/%ff%fe"})
    void answersAddressesThatTheContainerRefusesAsProblemsToo(String path) throws Exception {
        String answer = raw(path);

        assertThat(answer).contains("HTTP/1.1 4", "application/problem+json");
        assertThat(answer).doesNotContain("<html", "Tomcat", "\tat ");
    }

    /** The whole answer, to a request whose address no client would send. */
    private String raw(String path) throws IOException {
        URI base = client.uri("/");
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            String request =
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Authorization: Bearer dev-admin\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void theOpenApiDocumentSaysWhatHoldsForEveryOperation() {
        Answer answer = client.anonymous().get("/v3/api-docs");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.at("/components/securitySchemes/bearer/scheme").asString())
                .isEqualTo("bearer");
        String post = "/paths/~1v1~1principals/post";
        assertThat(answer.at(post + "/parameters").toString())
                .contains("Idempotency-Key")
                .doesNotContain("caller");
        assertThat(answer.at(post + "/responses/default/content").toString())
                .contains("application/problem+json");
        assertThat(answer.at(post + "/x-required-roles/0").asString()).isEqualTo("admin");
        assertThat(answer.at("/paths").propertyNames()).doesNotContain("/error");
    }

    private static void assertProblem(Answer answer, String code) {
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
        assertThat(answer.at("/type").asString()).isEqualTo("urn:countersign:problem:" + code);
        assertThat(answer.at("/code").asString()).isEqualTo(code);
        assertThat(answer.at("/status").asInt()).isEqualTo(answer.status());
        assertThat(answer.at("/title").asString()).isNotBlank();
        assertThat(answer.at("/detail").asString()).isNotBlank();
    }
}
