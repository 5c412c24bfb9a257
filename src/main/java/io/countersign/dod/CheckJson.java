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
            case Check.Run run -> {
                members.put("command", run.command());
                put(members, "expect", run.expect());
            }
            case Check.FileExists exists -> members.put("path", exists.path());
            case Check.FileAbsent absent -> members.put("path", absent.path());
            case Check.FileContains contains -> {
                members.put("path", contains.path());
                put(members, "text", contains.text());
                put(members, "matches", contains.matches());
            }
            case Check.SchemaMatch match -> {
                members.put("path", match.path());
                members.put("schema", match.schema());
                Check.@Nullable Dialect dialect = match.dialect();
                put(members, "dialect", dialect == null ? null : dialect.spelling());
            }
            case Check.TestsPass tests -> {
                put(members, "command", tests.command());
                put(members, "report", tests.report());
                put(members, "min", tests.min());
            }
            case Check.BuildPasses build -> put(members, "command", build.command());
            case Check.LintClean lint -> put(members, "command", lint.command());
            case Check.OnlyChanged only -> members.put("paths", only.paths());
            case Check.Unchanged unchanged -> members.put("paths", unchanged.paths());
            case Check.FailToPass test ->
                    transition(members, test.command(), test.tests(), test.report());
            case Check.PassToPass test ->
                    transition(members, test.command(), test.tests(), test.report());
            case Check.ToolCalled tool -> {
                members.put("tool", tool.tool());
                put(members, "min", tool.min());
                call(members, tool.outcome(), tool.input(), tool.boundary());
            }
            case Check.ToolNotCalled tool -> {
                members.put("tool", tool.tool());
                call(members, tool.outcome(), tool.input(), tool.boundary());
            }
            case Check.EvidenceComplete evidence -> put(members, "boundary", evidence.boundary());
            case Check.Malformed malformed -> {
                members.put("code", malformed.code());
                members.put("reason", malformed.reason());
            }
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

    private static void put(Map<String, Object> members, String key, @Nullable Object value) {
        if (value != null) members.put(key, value);
    }

    private static void transition(
            Map<String, Object> members,
            String command,
            @Nullable String tests,
            @Nullable String report) {
        members.put("command", command);
        put(members, "tests", tests);
        put(members, "report", report);
    }

    private static void call(
            Map<String, Object> members,
            @Nullable String outcome,
            @Nullable String input,
            @Nullable String boundary) {
        put(members, "outcome", outcome);
        put(members, "input~", input);
        put(members, "boundary", boundary);
    }
}
