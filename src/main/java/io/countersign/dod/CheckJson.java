package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.Map;

/** A check as a JSON object: {@code kind}, then its keys as spelled in the language. */
public final class CheckJson {
    private CheckJson() {}

    /**
     * The members of a check in order, only those that were given: {@code min} is a number, the
     * others are text. The line is not among them, so that equal checks have equal digests; a
     * malformed check shows kind {@code malformed} with {@code code} and {@code reason}.
     */
    public static Map<String, Object> members(Check check) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("kind", CheckKind.kind(check));
        switch (check) {
            case Check.Run c -> give(members, "command", c.command(), "expect", c.expect());
            case Check.FileExists c -> give(members, "path", c.path());
            case Check.FileAbsent c -> give(members, "path", c.path());
            case Check.FileContains c ->
                    give(members, "path", c.path(), "text", c.text(), "matches", c.matches());
            case Check.SchemaMatch c ->
                    give(members, "path", c.path(), "schema", c.schema(), "dialect", dialect(c));
            case Check.TestsPass c ->
                    give(members, "command", c.command(), "report", c.report(), "min", c.min());
            case Check.BuildPasses c -> give(members, "command", c.command());
            case Check.LintClean c -> give(members, "command", c.command());
            case Check.OnlyChanged c -> give(members, "paths", c.paths());
            case Check.Unchanged c -> give(members, "paths", c.paths());
            case Check.FailToPass c ->
                    give(members, "command", c.command(), "tests", c.tests(), "report", c.report());
            case Check.PassToPass c ->
                    give(members, "command", c.command(), "tests", c.tests(), "report", c.report());
            case Check.ToolCalled c -> {
                give(members, "tool", c.tool(), "min", c.min(), "outcome", c.outcome());
                give(members, "input~", c.input(), "boundary", c.boundary());
            }
            case Check.ToolNotCalled c -> {
                give(members, "tool", c.tool(), "outcome", c.outcome());
                give(members, "input~", c.input(), "boundary", c.boundary());
            }
            case Check.EvidenceComplete c -> give(members, "boundary", c.boundary());
            case Check.Malformed c -> give(members, "code", c.code(), "reason", c.reason());
        }
        if (check instanceof Check.Runs runs && runs.timeout() != null) {
            members.put("timeout", Values.timeout(runs.timeout()));
        }
        return members;
    }

    /**
     * Reads a check back from its members and {@code line} (0 when absent).
     *
     * @throws IllegalArgumentException it is no check that {@link #members} wrote
     */
    public static Check read(Map<String, ?> members) {
        Map<String, String> values = new LinkedHashMap<>();
        members.forEach(
                (key, value) -> {
                    if (value != null) values.put(key, value.toString());
                });
        String kind = values.getOrDefault("kind", "");
        int line = Integer.parseInt(values.getOrDefault("line", "0"));
        if (kind.equals(CheckKind.MALFORMED)) {
            return new Check.Malformed(
                    values.getOrDefault("code", ""), values.getOrDefault("reason", ""), line);
        }
        @Nullable CheckKind known = CheckKind.spelled(kind);
        if (known == null) throw new IllegalArgumentException("no check kind: " + kind);
        return CheckFactory.make(known, values, line);
    }

    /** As {@link #read(Map)}. */
    public static Check read(JsonNode check) {
        Map<String, String> values = new LinkedHashMap<>();
        check.properties()
                .forEach(
                        member -> {
                            if (!member.getValue().isNull()) {
                                values.put(member.getKey(), member.getValue().asString());
                            }
                        });
        return read(values);
    }

    private static @Nullable String dialect(Check.SchemaMatch check) {
        Check.@Nullable Dialect dialect = check.dialect();
        return dialect == null ? null : dialect.spelling();
    }

    /** Adds the pairs of a name and a value of which the value was given. */
    private static void give(Map<String, Object> members, @Nullable Object... pairs) {
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            @Nullable Object value = pairs[i + 1];
            if (value != null) members.put(String.valueOf(pairs[i]), value);
        }
    }
}
