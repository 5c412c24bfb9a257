package io.countersign.kernel.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Every time that a caller may send, at and beyond the ends of what the database keeps. */
@IntegrationTest
class FarTimesIntegrationTests {
    private static final List<String> REFUSED =
            List.of(
                    "+300000-01-01T00:00:00Z",
                    "-300000-01-01T00:00:00Z",
                    "+1000000000-12-31T23:59:59Z",
                    "+10000-01-01T00:00:00Z",
                    "0000-12-31T23:59:59.999999999Z",
                    "1e30",
                    "");
    private static final List<String> TAKEN =
            List.of(
                    "0001-01-01T00:00:00Z",
                    "9999-12-31T23:59:59.999999999Z",
                    "2026-11-30T12:00:00+02:00");

    @Autowired ServiceClient client;
    private ServiceClient admin;

    @BeforeEach
    void beAdministrator() {
        admin = client.as("dev-admin");
        admin.put(
                "/v1/principals/far-times",
                "{\"kind\":\"ci\",\"roles\":[],\"projects\":[\"acme/shop\"]}");
    }

    static Stream<Arguments> parameters(List<String> times) {
        return times.stream()
                .flatMap(
                        time ->
                                Stream.of("/v1/audit", "/v1/verifications", "/v1/stats")
                                        .flatMap(
                                                path ->
                                                        Stream.of("from", "to")
                                                                .map(
                                                                        name ->
                                                                                Arguments.of(
                                                                                        path, name,
                                                                                        time))));
    }

    static Stream<Arguments> refusedParameters() {
        return parameters(REFUSED).filter(arguments -> !arguments.get()[2].equals(""));
    }

    static Stream<Arguments> takenParameters() {
        return parameters(TAKEN);
    }

    static Stream<Arguments> members(List<String> times) {
        return times.stream()
                .flatMap(
                        time ->
                                Stream.of(
                                        Arguments.of(
                                                "/v1/principals/far-times/keys",
                                                "expiresAt",
                                                "{\"expiresAt\":\"%s\"}".formatted(time)),
                                        consume("consume", time),
                                        consume("validate", time)));
    }

    private static Arguments consume(String verb, String time) {
        return Arguments.of(
                "/v1/receipts/" + new UUID(0, 0) + "/" + verb,
                "newestMtime",
                "{\"changeSet\":{\"sha256\":\"%s\"},\"newestMtime\":\"%s\"}"
                        .formatted("0".repeat(64), time));
    }

    static Stream<Arguments> refusedMembers() {
        Stream<Arguments> numbers =
                Stream.of("1764504000", "1e30", "-1e30", "{}")
                        .map(
                                number ->
                                        Arguments.of(
                                                "/v1/principals/far-times/keys",
                                                "expiresAt",
                                                "{\"expiresAt\":%s}".formatted(number)));
        return Stream.concat(members(REFUSED), numbers);
    }

    static Stream<Arguments> takenMembers() {
        return members(TAKEN);
    }

    @ParameterizedTest
    @MethodSource("refusedParameters")
    void refusesAParameter(String path, String name, String time) {
        assertNamed(get(path, name, time), "?" + name);
    }

    @ParameterizedTest
    @MethodSource("takenParameters")
    void takesAParameter(String path, String name, String time) {
        assertThat(get(path, name, time).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("refusedMembers")
    void refusesAMember(String path, String name, String body) {
        assertNamed(admin.post(path, body), "/" + name);
    }

    @ParameterizedTest
    @MethodSource("takenMembers")
    void takesAMember(String path, String name, String body) {
        Answer answer = admin.post(path, body);

        assertThat(answer.status()).as(answer.text()).isLessThan(500);
        assertThat(answer.text()).doesNotContain("ISO-8601");
    }

    private Answer get(String path, String name, String time) {
        return admin.get(path + "?" + name + "=" + URLEncoder.encode(time, StandardCharsets.UTF_8));
    }

    private static void assertNamed(Answer answer, String pointer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.at("/errors/0/pointer").asString()).isEqualTo(pointer);
        assertThat(answer.at("/errors/0/message").asString())
                .isEqualTo("must be a time, ISO-8601 in UTC, of the years 0001 to 9999");
    }
}
