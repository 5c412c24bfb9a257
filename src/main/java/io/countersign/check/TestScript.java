package io.countersign.check;

import io.countersign.artefact.Workspace;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a test command comes to when it is followed through {@code package.json}: whether it can run
 * a test at all, which runner it names, and whether its exit code means anything. All but the first
 * is asked only where the run itself said nothing of tests.
 */
final class TestScript {
    private static final int MAX_HOPS = 5;

    private static final Set<String> INERT =
            Set.of(
                    "echo", "printf", "true", ":", "exit", "sleep", "cat", "ls", "pwd", "cd",
                    "mkdir", "rm", "touch", "date", "set", "tee", "clear");

    private static final Set<String> RUNNERS =
            Set.of(
                    "vitest",
                    "jest",
                    "mocha",
                    "pytest",
                    "py.test",
                    "tox",
                    "nox",
                    "ava",
                    "tap",
                    "jasmine",
                    "playwright",
                    "mvn",
                    "mvnw",
                    "gradle",
                    "gradlew",
                    "ctest",
                    "rspec",
                    "phpunit");

    /** Two words that name a runner together. */
    private static final Set<List<String>> RUNNER_PAIRS =
            Set.of(
                    List.of("node", "--test"),
                    List.of("bun", "test"),
                    List.of("-m", "pytest"),
                    List.of("-m", "unittest"),
                    List.of("go", "test"),
                    List.of("cargo", "test"),
                    List.of("cargo", "nextest"),
                    List.of("dotnet", "test"),
                    List.of("deno", "test"));

    private final @Nullable String objection;
    private final boolean inert;

    private TestScript(@Nullable String objection, boolean inert) {
        this.objection = objection;
        this.inert = inert;
    }

    /** Whether nothing of it can run a test, so that whatever it printed is no summary. */
    boolean inert() {
        return inert;
    }

    /** Why no tests ran, although the command exited 0; null when they may have. */
    @Nullable String objection() {
        return objection;
    }

    static TestScript of(List<String> argv, @Nullable Workspace workspace) {
        PackageScripts scripts = PackageScripts.in(workspace);
        List<Segment> segments = List.of(new Segment("", argv));
        String text = null;
        boolean hooks = false;
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            String name = onlyScript(segments);
            if (name == null || !scripts.present()) break;
            text = scripts.script(name);
            if (text == null) {
                return new TestScript("package.json has no \"" + name + "\" script", false);
            }
            segments = segments(text);
            hooks |= scripts.script("pre" + name) != null || scripts.script("post" + name) != null;
        }
        boolean substitutes = text != null && (text.contains("$(") || text.contains("`"));
        boolean inert =
                text != null
                        && !hooks
                        && !substitutes
                        && segments.stream().allMatch(Segment::isInert);
        return new TestScript(objection(segments, text), inert);
    }

    private static @Nullable String onlyScript(List<Segment> segments) {
        return segments.size() == 1 && !segments.getFirst().words().isEmpty()
                ? PackageScripts.scriptOf(segments.getFirst().words())
                : null;
    }

    private static @Nullable String objection(List<Segment> segments, @Nullable String text) {
        if (text != null) {
            String shown = "`" + Shown.word(text) + "`";
            if (segments.stream().allMatch(Segment::isInert)) {
                return "the test script is only " + shown;
            }
            if (segments.stream().anyMatch(Segment::hidesStatus)) {
                return "the test script hides its exit code and printed no summary: " + shown;
            }
        }
        for (Segment segment : segments) {
            String runner = segment.runner();
            if (runner != null) return runner + " printed no summary and wrote no report";
        }
        return null;
    }

    /**
     * One command of a script.
     *
     * @param operator what stands in front of it; empty for the first
     */
    private record Segment(String operator, List<String> words) {
        boolean isInert() {
            return words.isEmpty() || INERT.contains(program());
        }

        /** Its own status stands for that of what came before, and it is always a good one. */
        boolean hidesStatus() {
            boolean fails =
                    words.size() > 1 && program().equals("exit") && !words.get(1).equals("0");
            return isInert() && !fails && Set.of("||", ";", "|").contains(operator);
        }

        private String program() {
            return name(words.getFirst());
        }

        @Nullable String runner() {
            for (int i = 0; i < words.size(); i++) {
                String word = name(words.get(i));
                if (RUNNERS.contains(word)) return word;
                for (int j = i + 1; j < words.size(); j++) {
                    if (RUNNER_PAIRS.contains(List.of(word, words.get(j)))) {
                        return word.equals("-m") ? words.get(j) : word + " " + words.get(j);
                    }
                    if (!words.get(j).startsWith("-")) break;
                }
            }
            return null;
        }

        private static String name(String word) {
            return word.substring(word.lastIndexOf('/') + 1);
        }
    }

    /** A script's commands, split at a shell's operators outside quotes. */
    private static List<Segment> segments(String script) {
        List<Segment> segments = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        String operator = "";
        char quote = 0;
        for (int i = 0; i < script.length(); i++) {
            char c = script.charAt(i);
            if (quote != 0 || c == '"' || c == '\'') {
                if (quote == 0) quote = c;
                else if (c == quote) quote = 0;
                command.append(c);
            } else if (c == '&' || c == '|' || c == ';' || c == '\n') {
                segments.add(new Segment(operator, words(command)));
                command.setLength(0);
                boolean twice = i + 1 < script.length() && script.charAt(i + 1) == c;
                operator = c == '\n' ? ";" : twice ? "" + c + c : "" + c;
                if (twice) i++;
            } else {
                command.append(c);
            }
        }
        segments.add(new Segment(operator, words(command)));
        return segments;
    }

    private static List<String> words(CharSequence command) {
        List<String> words = new ArrayList<>(List.of(command.toString().strip().split("\\s+")));
        while (!words.isEmpty() && isPrefix(words.getFirst())) words.removeFirst();
        return words;
    }

    private static boolean isPrefix(String word) {
        return word.isEmpty()
                || word.equals("cross-env")
                || word.equals("env")
                || word.matches("[A-Za-z_][A-Za-z0-9_]*=.*");
    }
}
