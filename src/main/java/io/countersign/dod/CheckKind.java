package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of checks with the keys that each takes, spelled as in the language. */
public enum CheckKind {
    RUN("run", List.of("command"), List.of("expect", "timeout")),
    FILE_EXISTS("fileExists", List.of("path"), List.of()),
    FILE_ABSENT("fileAbsent", List.of("path"), List.of()),
    FILE_CONTAINS("fileContains", List.of("path"), List.of("text", "matches")),
    SCHEMA_MATCH("schemaMatch", List.of("path", "schema"), List.of("dialect")),
    TESTS_PASS("testsPass", List.of(), List.of("command", "report", "min", "timeout")),
    BUILD_PASSES("buildPasses", List.of(), List.of("command", "timeout")),
    LINT_CLEAN("lintClean", List.of(), List.of("command", "timeout")),
    ONLY_CHANGED("onlyChanged", List.of("paths"), List.of()),
    UNCHANGED("unchanged", List.of("paths"), List.of()),
    FAIL_TO_PASS("failToPass", List.of("command"), List.of("tests", "report", "timeout")),
    PASS_TO_PASS("passToPass", List.of("command"), List.of("tests", "report", "timeout")),
    TOOL_CALLED("toolCalled", List.of("tool"), List.of("min", "outcome", "input~", "boundary")),
    TOOL_NOT_CALLED("toolNotCalled", List.of("tool"), List.of("outcome", "input~", "boundary")),
    EVIDENCE_COMPLETE("evidenceComplete", List.of(), List.of("boundary"));

    /** What stands in the place of a kind for a check that could not be read. */
    public static final String MALFORMED = "malformed";

    private static final Map<String, CheckKind> BY_SPELLING =
            Arrays.stream(values())
                    .collect(
                            Collectors.toUnmodifiableMap(CheckKind::spelling, Function.identity()));

    private final String spelling;
    private final List<String> required;
    private final List<String> keys;

    CheckKind(String spelling, List<String> required, List<String> optional) {
        this.spelling = spelling;
        this.required = required;
        this.keys = Stream.concat(required.stream(), optional.stream()).toList();
    }

    public String spelling() {
        return spelling;
    }

    /** The keys without which the check is malformed. */
    public List<String> required() {
        return required;
    }

    /** Every key that the kind takes, required ones first. */
    public List<String> keys() {
        return keys;
    }

    /** The kind of exactly this spelling; null when there is none. */
    public static @Nullable CheckKind spelled(String word) {
        return BY_SPELLING.get(word);
    }

    /** The kind of a check as spelled in the language; {@link #MALFORMED} for an unreadable one. */
    public static String kind(Check check) {
        return switch (check) {
            case Check.Run ignored -> RUN.spelling;
            case Check.FileExists ignored -> FILE_EXISTS.spelling;
            case Check.FileAbsent ignored -> FILE_ABSENT.spelling;
            case Check.FileContains ignored -> FILE_CONTAINS.spelling;
            case Check.SchemaMatch ignored -> SCHEMA_MATCH.spelling;
            case Check.TestsPass ignored -> TESTS_PASS.spelling;
            case Check.BuildPasses ignored -> BUILD_PASSES.spelling;
            case Check.LintClean ignored -> LINT_CLEAN.spelling;
            case Check.OnlyChanged ignored -> ONLY_CHANGED.spelling;
            case Check.Unchanged ignored -> UNCHANGED.spelling;
            case Check.FailToPass ignored -> FAIL_TO_PASS.spelling;
            case Check.PassToPass ignored -> PASS_TO_PASS.spelling;
            case Check.ToolCalled ignored -> TOOL_CALLED.spelling;
            case Check.ToolNotCalled ignored -> TOOL_NOT_CALLED.spelling;
            case Check.EvidenceComplete ignored -> EVIDENCE_COMPLETE.spelling;
            case Check.Malformed ignored -> MALFORMED;
        };
    }
}
