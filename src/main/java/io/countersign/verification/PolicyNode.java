package io.countersign.verification;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One section of a project's policy document, read so that no override can lift a bound: what is
 * absent keeps the server's value, and a ceiling that is zero, negative or no number becomes the
 * default, never "no ceiling", with a log line.
 */
record PolicyNode(String project, String section, JsonNode node) {
    private static final Logger log = LoggerFactory.getLogger(PolicyNode.class);

    @Nullable String text(String member, @Nullable String server) {
        JsonNode value = node.path(member);
        if (!value.isString()) return server;
        return value.asString().isBlank() ? null : value.asString();
    }

    boolean flag(String member, boolean server) {
        JsonNode value = node.path(member);
        return value.isBoolean() ? value.asBoolean() : server;
    }

    List<String> texts(String member, List<String> server) {
        JsonNode value = node.path(member);
        if (!value.isArray()) return server;
        List<String> texts = new ArrayList<>();
        value.forEach(element -> texts.add(element.asString("")));
        return texts;
    }

    <T> T choice(String member, Function<String, @Nullable T> read, T server) {
        JsonNode value = node.path(member);
        if (!value.isString()) return server;
        T choice = read.apply(value.asString());
        if (choice == null) return ignored(member, value, server);
        return choice;
    }

    /** A ceiling in milliseconds, at most {@code max}. */
    Duration ceiling(String member, Duration server, Duration max) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) return server;
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() <= 0) {
            return ignored(member, value, server);
        }
        Duration asked = Duration.ofMillis(value.longValue());
        return asked.compareTo(max) <= 0 ? asked : max;
    }

    private <T> T ignored(String member, JsonNode value, T server) {
        log.warn(
                "project {}: {}.{} is {}, which is no usable value; the server's {} holds",
                project,
                section,
                member,
                value,
                server);
        return server;
    }
}
