package io.countersign.dod;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** What holds for every text, shown on seeded random ones. The seed is the repetition's number. */
class DodPropertyTests {
    private static final String[] PIECES = {
        "[acceptance]",
        "[/acceptance]",
        "[dod]",
        "[/dod]",
        "check:",
        "criteria:",
        "deliverable:",
        "kind:",
        "run",
        "testsPass",
        "fileExists",
        "schemaMatch",
        "command=",
        "path=",
        "schema=",
        "min=",
        "timeout=",
        "=",
        "\"",
        "'",
        "{",
        "}",
        "[",
        "]",
        "\\",
        "\\\"",
        " ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\u00a0",
        "\u2028",
        "\u200b",
        "\ufeff",
        "\u0000",
        "\ud83d\ude80",
        "\ud83d",
        "\u0441heck:",
        "- ",
        "1. ",
        "[x] ",
        "> ",
        "chek:",
        "é",
        "0",
        "12",
        "s",
        ":",
        "checker",
        "none"
    };

    private final List<Integer> blocks = new ArrayList<>();

    @RepeatedTest(15)
    void junkIsReadOrRefusedAndNeverCrashes(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        for (int i = 0; i < 200; i++) {
            String text = junk(random, 1 + random.nextInt(120));
            String block = "[acceptance]\n" + text + "\n[/acceptance]";
            for (String each : List.of(text, block)) {
                parse(each).map(ParsedBlock::dod).ifPresent(DodPropertyTests::holds);
            }
        }
        assertThat(blocks).as("junk inside tags is a block").hasSizeGreaterThan(100);
    }

    private Optional<ParsedBlock> parse(String text) {
        try {
            ParsedBlock block = DodParser.parse(text, Dod.Source.EXPLICIT);
            if (block.dod() != null) blocks.add(block.dod().checks().size());
            return Optional.of(block);
        } catch (ProblemException e) {
            assertThat(e.facts()).containsKey("limit");
            return Optional.empty();
        }
    }

    private static void holds(Dod dod) {
        assertThat(DodRendering.stored(dod)).isEqualTo(dod);
        assertThat(dod.checks()).allSatisfy(check -> assertThat(check.line()).isPositive());
        assertThat(dod.diagnostics()).isSortedAccordingTo((a, b) -> a.line() - b.line());
        long failing = dod.checks().stream().filter(Check.Malformed.class::isInstance).count();
        long lines =
                dod.diagnostics().stream()
                        .filter(d -> d.severity() == Diagnostic.Severity.ERROR)
                        .map(Diagnostic::line)
                        .distinct()
                        .count();
        assertThat(failing).as("every line with an error fails").isEqualTo(lines);
    }

    private static String junk(SplittableRandom random, int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) text.append(PIECES[random.nextInt(PIECES.length)]);
        return text.toString();
    }

    @RepeatedTest(15)
    void aTypoNeverMakesTheDefinitionSmaller(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(1_000 + repetition.getCurrentRepetition());
        StringBuilder text = new StringBuilder("[acceptance]\n");
        int directives = 1 + random.nextInt(50);
        for (int i = 0; i < directives; i++) {
            String name = random.nextBoolean() ? "check" : "criteria";
            for (int edits = random.nextInt(3); edits > 0; edits--) name = edit(random, name);
            text.append(name).append(random.nextInt(4) == 0 ? " " : ": ");
            text.append("testsPass").append("\n");
        }
        Dod dod = DodParser.parse(text + "[/acceptance]", Dod.Source.EXPLICIT).dod();
        assertThat(dod.checks().size() + dod.criteria().size()).as(text + "").isEqualTo(directives);
    }

    private static String edit(SplittableRandom random, String word) {
        String letters = "abcdehikrstxyz\u0441\u200b";
        int at = random.nextInt(word.length());
        String other = letters.charAt(random.nextInt(letters.length())) + "";
        return switch (random.nextInt(3)) {
            case 0 -> word.substring(0, at) + word.substring(at + 1);
            case 1 -> word.substring(0, at) + other + word.substring(at);
            default -> word.substring(0, at) + other + word.substring(at + 1);
        };
    }

    @RepeatedTest(15)
    void whatIsWrittenOutReadsBackTheSame(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(2_000 + repetition.getCurrentRepetition());
        for (int i = 0; i < 50; i++) {
            Dod dod = random(random);
            DodRendering.assertReadsBack(dod);
            assertThat(DodRendering.stored(dod)).isEqualTo(dod);
        }
    }

    private static Dod random(SplittableRandom random) {
        List<Check> checks = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) checks.add(check(random));
        List<String> criteria = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) criteria.add(value(random));
        String deliverable = random.nextBoolean() ? value(random) : null;
        return new Dod(Dod.Source.EXPLICIT, deliverable, checks, criteria, List.of());
    }

    private static Check check(SplittableRandom random) {
        CheckKind kind = CheckKind.values()[random.nextInt(CheckKind.values().length)];
        Map<String, String> values = new HashMap<>();
        for (String key : kind.keys()) {
            boolean needed = kind.required().contains(key);
            if (needed || random.nextBoolean()) values.put(key, value(random, key));
        }
        if (kind == CheckKind.FILE_CONTAINS) {
            values.remove("text");
            values.putIfAbsent("matches", value(random));
        }
        return CheckFactory.make(kind, values, 1);
    }

    private static String value(SplittableRandom random, String key) {
        return switch (key) {
            case "min" -> 1 + random.nextInt(1_000_000) + "";
            case "timeout" -> Values.timeout(Duration.ofMillis(1 + random.nextInt(10_000_000)));
            case "dialect" -> Check.Dialect.values()[random.nextInt(3)].spelling();
            case "outcome" -> "error";
            case "boundary" -> "native";
            default -> value(random);
        };
    }

    /** Any storable text of one line with something to see, its edges trimmed. */
    private static String value(SplittableRandom random) {
        String value = "";
        while (Text.isBlank(value) || Text.isUnstorable(value)) {
            value = Text.strip(junk(random, 1 + random.nextInt(12)).replaceAll("[\r\n]", "x"));
        }
        return value;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[dod]\n",
                "[/dod]\n",
                "x\n",
                "check",
                "{",
                "[",
                "a=b ",
                "\"",
                "- ",
                "\r",
                "a:"
            })
    void readingIsLinear(String piece) {
        String flood = piece.repeat(260_000 / piece.length());
        assertReads(flood);
        assertReads("[dod]\n" + flood + "\n[/dod]\n" + "[dod]\n".repeat(300));
        assertReads("[dod]\ncheck: schemaMatch schema=" + flood + "\n[/dod]");
        assertReads("[dod]\n" + ("check: run " + flood).substring(0, 255_000) + "\n[/dod]");
    }

    private void assertReads(String text) {
        long start = System.nanoTime();
        parse(text);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void diagnosticsAreBoundedAndSayWhatIsNotListed() {
        String text = "[dod]\n" + "x\n".repeat(100_000) + "[/dod]";
        List<Diagnostic> diagnostics = DodParser.parse(text, Dod.Source.EXPLICIT).diagnostics();
        assertThat(diagnostics).hasSize(501);
        assertThat(diagnostics.getLast().code()).isEqualTo("more-diagnostics");
        assertThat(diagnostics.getLast().message()).contains("99500");
    }
}
