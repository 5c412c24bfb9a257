package io.countersign.grader.provider;

import io.countersign.grader.provider.ProviderFault.Kind;
import io.countersign.scrub.Clean;
import io.countersign.scrub.Scrubber;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClientException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.function.Supplier;

import javax.net.ssl.SSLException;

/**
 * Turns what a provider sends into JSON or into a fault whose reason holds no secret.
 *
 * @param secret the provider's own key, which an error text may echo; empty for none
 * @param clock for {@code Retry-After} dates
 */
record Responses(String secret, InstantSource clock) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_DETAIL = 200;

    /** A request's body, written by no converter of the application's. */
    static byte[] bytes(Object request) {
        return JSON.writeValueAsBytes(request);
    }

    /** The body of a success. */
    JsonNode json(Supplier<ResponseEntity<byte[]>> call) {
        ResponseEntity<byte[]> response = received(call);
        int status = response.getStatusCode().value();
        JsonNode body = parse(response.getBody());
        if (status != 200) {
            throw ProviderFault.status(
                    status, describe(status, body), retryAfter(response.getHeaders()));
        }
        if (body == null) throw ProviderFault.of(Kind.RESPONSE, "the response is not JSON");
        JsonNode error = body.path("error");
        if (error.isObject()) {
            // Some gateways wrap an upstream's error in a 200.
            int code = error.path("code").isInt() ? error.path("code").intValue() : 0;
            if (code >= 400) throw ProviderFault.status(code, describe(code, body), null);
            throw ProviderFault.of(Kind.RESPONSE, "the response is an error" + detail(body));
        }
        return body;
    }

    private ResponseEntity<byte[]> received(Supplier<ResponseEntity<byte[]>> call) {
        try {
            return call.get();
        } catch (RestClientException e) {
            throw ProviderFault.of(kind(e), connectionReason(e));
        } catch (IllegalArgumentException | IllegalStateException e) {
            // Its message could quote a header.
            throw ProviderFault.of(Kind.RESPONSE, "the request could not be made");
        }
    }

    private static Kind kind(RestClientException fault) {
        boolean connection =
                causedBy(fault, IOException.class)
                        && !causedBy(fault, BoundedResponses.TooLarge.class);
        return connection ? Kind.CONNECTION : Kind.RESPONSE;
    }

    private static String connectionReason(Throwable fault) {
        if (causedBy(fault, BoundedResponses.TooLarge.class)) return "the response is too large";
        if (causedBy(fault, HttpConnectTimeoutException.class)) return "connecting timed out";
        if (causedBy(fault, UnresolvedAddressException.class)
                || causedBy(fault, UnknownHostException.class)) {
            return "the host name is unknown";
        }
        if (causedBy(fault, ConnectException.class)) return "no connection";
        if (causedBy(fault, SSLException.class)) return "TLS failed";
        if (!causedBy(fault, IOException.class)) return "the response could not be read";
        return "the connection broke before the answer was whole";
    }

    private static boolean causedBy(Throwable fault, Class<? extends Throwable> type) {
        for (Throwable t = fault; t != null; t = t.getCause()) {
            if (type.isInstance(t)) return true;
        }
        return false;
    }

    private static @Nullable JsonNode parse(byte @Nullable [] body) {
        if (body == null) return null;
        try {
            JsonNode value = JSON.readTree(body);
            return value.isObject() ? value : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private String describe(int status, @Nullable JsonNode body) {
        if (status >= 300 && status < 400) {
            return "HTTP " + status + ", and redirects are not followed";
        }
        // Texts about credentials tend to quote them, often half masked.
        if (status == 401 || status == 403) return "HTTP " + status + ", the key was not accepted";
        return "HTTP " + status + detail(body);
    }

    private String detail(@Nullable JsonNode body) {
        if (body == null) return "";
        JsonNode error = body.path("error");
        String message =
                error.isString() ? error.stringValue() : error.path("message").asString("");
        if (message.isBlank()) message = body.path("message").asString("");
        String kind = error.path("type").asString("") + " " + error.path("param").asString("");
        String said = (kind.strip() + ": " + message).replaceFirst("^: |: $", "");
        return said.isBlank() ? "" : " (" + Clean.line(withoutSecret(said), MAX_DETAIL) + ")";
    }

    String withoutSecret(String text) {
        return secret.isEmpty() ? text : text.replace(secret, Scrubber.MARKER);
    }

    private @Nullable Duration retryAfter(HttpHeaders headers) {
        String value = headers.getFirst(HttpHeaders.RETRY_AFTER);
        if (value == null) return null;
        try {
            if (value.strip().matches("[0-9]{1,9}")) {
                return Duration.ofSeconds(Long.parseLong(value.strip()));
            }
            Instant at =
                    ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
            return Duration.between(clock.instant(), at);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** A short name such as a model's or an id, safe to store. */
    @Nullable String name(@Nullable JsonNode value) {
        String text = text(value);
        return text == null ? null : Clean.line(withoutSecret(text), MAX_DETAIL);
    }

    private static @Nullable String text(@Nullable JsonNode value) {
        return value != null && value.isString() ? value.stringValue() : null;
    }

    static @Nullable Integer number(@Nullable JsonNode value) {
        return value != null && value.isInt() ? value.intValue() : null;
    }

    /** Why the model stopped, unless that was because it was done; absent counts as done. */
    static @Nullable String incomplete(@Nullable JsonNode reason, Set<String> whole) {
        String text = text(reason);
        return text == null || whole.contains(text) ? null : Clean.line(text, 60);
    }
}
