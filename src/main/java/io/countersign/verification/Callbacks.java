package io.countersign.verification;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.http.client.JdkHttpClientBuilder;
import org.springframework.stereotype.Component;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Tells a receiver about a verdict, signed as Standard Webhooks describes, as a durable task of its
 * own: it survives a killed service and is tried for a day. A caller names the address, so private
 * ones are never called unless the server allows it; redirects are not followed.
 */
@Component
class Callbacks {
    static final String TASK = "callback";

    private static final Logger log = LoggerFactory.getLogger(Callbacks.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final int MAX_URL = 2_000;

    private final ProjectSettings projects;
    private final VerificationStore store;
    private final VerificationViews views;
    private final SubmissionJson frozen;
    private final CallbackProperties properties;
    private final InetAddressFilter allowed;
    private final HttpClient http;
    private final InstantSource clock;
    private final JsonMapper json;
    private final Counter delivered;
    private final Counter failed;
    private final Counter givenUp;

    Callbacks(
            ProjectSettings projects,
            VerificationStore store,
            VerificationViews views,
            SubmissionJson frozen,
            CallbackProperties properties,
            InstantSource clock,
            JsonMapper json,
            MeterRegistry meters) {
        this.projects = projects;
        this.store = store;
        this.views = views;
        this.frozen = frozen;
        this.properties = properties;
        this.clock = clock;
        this.json = json;
        this.delivered = attempts(meters, "delivered");
        this.failed = attempts(meters, "failed");
        this.givenUp = attempts(meters, "given_up");
        this.allowed =
                properties.allowPrivate()
                        ? InetAddressFilter.all()
                        : InetAddressFilter.externalAddresses();
        this.http =
                new JdkHttpClientBuilder()
                        .build(
                                HttpClientSettings.defaults()
                                        .withRedirects(HttpRedirects.DONT_FOLLOW)
                                        .withConnectTimeout(properties.timeout())
                                        .withInetAddressFilter(allowed));
    }

    private static Counter attempts(MeterRegistry meters, String outcome) {
        return Counter.builder("countersign.callbacks")
                .description("Attempts to deliver a callback, and callbacks that were given up")
                .tag("outcome", outcome)
                .register(meters);
    }

    /**
     * Checks an address that a caller named.
     *
     * @throws ProblemException 422 for one that is not http(s), is a private address, or belongs to
     *     a project that has no secret to sign with
     */
    URI validate(ProjectId project, String url) {
        URI uri = parse(url);
        if (isForbidden(uri.getHost())) {
            throw refused("a private, loopback or unknown address is not called");
        }
        if (projects.callbackSecret(project) == null) {
            throw refused(
                    "project "
                            + project
                            + " has no callback.secret to sign with: an admin sets it");
        }
        return uri;
    }

    private static URI parse(String url) {
        try {
            URI uri = new URI(url);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if (!Set.of("http", "https").contains(scheme)
                    || uri.getHost() == null
                    || uri.getUserInfo() != null
                    || url.length() > MAX_URL) {
                throw refused("is an absolute http or https address without user info");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw refused("is not a URL");
        }
    }

    private static ProblemException refused(String message) {
        return ProblemException.invalid(ProblemCode.CALLBACK_NOT_ALLOWED, "/callback/url", message);
    }

    /**
     * Only an address written as one is judged here; a name is resolved, and judged, when it is
     * called, since what it resolves to may change in between.
     */
    private boolean isForbidden(String host) {
        if (host.equalsIgnoreCase("localhost")) return !properties.allowPrivate();
        if (!host.startsWith("[") && !host.matches("[0-9.]+")) return false;
        try {
            return !allowed.matches(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return true;
        }
    }

    /** One attempt; {@code attempt} counts from 0. It ends the task or plans the next attempt. */
    CompletionHandler<Integer> deliver(VerificationId id, int attempt) {
        VerificationRow row = store.find(id).orElse(null);
        URI url = store.input(id).map(frozen::submission).map(Submission::callback).orElse(null);
        if (row == null || row.completedAt() == null || url == null) {
            return (done, task) -> task.remove();
        }
        String fault = send(row, row.completedAt(), url);
        (fault == null ? delivered : failed).increment();
        if (fault == null) return (done, task) -> task.remove();
        Instant next = clock.instant().plus(pause(attempt));
        if (next.isAfter(row.completedAt().plus(properties.giveUpAfter()))) {
            givenUp.increment();
            log.warn("callback of verification {} is given up: {}", id, fault);
            return (done, task) -> task.remove();
        }
        log.info("callback of verification {} failed, next attempt at {}: {}", id, next, fault);
        return (done, task) -> task.reschedule(done, next, attempt + 1);
    }

    private static Duration pause(int attempt) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt, 20));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /** Null when the receiver took it. */
    private @Nullable String send(VerificationRow row, Instant completedAt, URI url) {
        String secret = projects.callbackSecret(new ProjectId(row.project()));
        if (secret == null) return "the project has no callback.secret any more";
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("type", "verification.completed");
        message.put("timestamp", completedAt);
        message.put("data", views.view(row));
        String body = json.writeValueAsString(message);
        String messageId = "msg_" + row.id();
        long timestamp = clock.instant().getEpochSecond();
        HttpRequest request =
                HttpRequest.newBuilder(url)
                        .timeout(properties.timeout())
                        .header("Content-Type", "application/json")
                        .header("webhook-id", messageId)
                        .header("webhook-timestamp", Long.toString(timestamp))
                        .header(
                                "webhook-signature",
                                WebhookSignature.sign(secret, messageId, timestamp, body))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        return exchange(request);
    }

    private @Nullable String exchange(HttpRequest request) {
        try {
            int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status / 100 == 2 ? null : "the receiver answered " + status;
        } catch (IOException | RuntimeException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "the service stops";
        }
    }
}
