package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;

/** Makes a check of the values of its keys, which must be well formed. */
final class CheckFactory {
    private final Map<String, String> values;
    private final int line;

    private CheckFactory(Map<String, String> values, int line) {
        this.values = values;
        this.line = line;
    }

    /**
     * @throws IllegalArgumentException a required key is missing, or a value is malformed
     */
    static Check make(CheckKind kind, Map<String, String> values, int line) {
        return new CheckFactory(values, line).make(kind);
    }

    private Check make(CheckKind kind) {
        return switch (kind) {
            case RUN -> new Check.Run(need("command"), get("expect"), timeout(), line);
            case FILE_EXISTS -> new Check.FileExists(need("path"), line);
            case FILE_ABSENT -> new Check.FileAbsent(need("path"), line);
            case FILE_CONTAINS ->
                    new Check.FileContains(need("path"), get("text"), get("matches"), line);
            case SCHEMA_MATCH ->
                    new Check.SchemaMatch(need("path"), need("schema"), dialect(), line);
            case TESTS_PASS ->
                    new Check.TestsPass(get("command"), get("report"), min(), timeout(), line);
            case BUILD_PASSES -> new Check.BuildPasses(get("command"), timeout(), line);
            case LINT_CLEAN -> new Check.LintClean(get("command"), timeout(), line);
            case ONLY_CHANGED -> new Check.OnlyChanged(need("paths"), line);
            case UNCHANGED -> new Check.Unchanged(need("paths"), line);
            case FAIL_TO_PASS ->
                    new Check.FailToPass(
                            need("command"), get("tests"), get("report"), timeout(), line);
            case PASS_TO_PASS ->
                    new Check.PassToPass(
                            need("command"), get("tests"), get("report"), timeout(), line);
            case TOOL_CALLED ->
                    new Check.ToolCalled(
                            need("tool"), min(), get("outcome"), get("input~"), boundary(), line);
            case TOOL_NOT_CALLED ->
                    new Check.ToolNotCalled(
                            need("tool"), get("outcome"), get("input~"), boundary(), line);
            case EVIDENCE_COMPLETE -> new Check.EvidenceComplete(boundary(), line);
        };
    }

    private @Nullable String get(String key) {
        return values.get(key);
    }

    private String need(String key) {
        @Nullable String value = values.get(key);
        if (value == null) throw new IllegalArgumentException("the key " + key + " is missing");
        return value;
    }

    private @Nullable String boundary() {
        return get("boundary");
    }

    private @Nullable Integer min() {
        @Nullable String value = get("min");
        return value == null ? null : Integer.valueOf(value);
    }

    private @Nullable Duration timeout() {
        @Nullable String value = get("timeout");
        if (value == null) return null;
        @Nullable Duration timeout = Values.timeout(value);
        if (timeout == null) throw new IllegalArgumentException("no time: " + value);
        return timeout;
    }

    private Check.@Nullable Dialect dialect() {
        @Nullable String value = get("dialect");
        if (value == null) return null;
        Check.@Nullable Dialect dialect = Values.dialect(value);
        if (dialect == null) throw new IllegalArgumentException("no dialect: " + value);
        return dialect;
    }
}
