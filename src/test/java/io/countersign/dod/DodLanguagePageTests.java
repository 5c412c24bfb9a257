package io.countersign.dod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The examples of the reference page do what the page says. */
class DodLanguagePageTests {
    private static final Pattern EXAMPLE =
            Pattern.compile("(?ms)^```acceptance(-error (?<code>[a-z-]+))?\\n(?<text>.*?)^```$");

    private final String page = read("dod-language.md");

    private static String read(String page) {
        try {
            return Files.readString(Path.of("docs", page));
        } catch (IOException e) {
            throw new AssertionError("run the tests in the project's directory", e);
        }
    }

    @Test
    void everyExampleReadsAsThePageSays() {
        String pages = page + read("runtime-evidence.md");
        List<MatchResult> examples = EXAMPLE.matcher(pages).results().toList();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(6);
        for (MatchResult example : examples) {
            String text = example.group("text");
            ParsedBlock block = DodParser.parse(text, Dod.Source.EXPLICIT);
            assertThat(block.dod()).as(text).isNotNull();
            List<String> codes = block.diagnostics().stream().map(Diagnostic::code).toList();
            String code = example.group("code");
            assertThat(codes).as(text).isEqualTo(code == null ? List.of() : List.of(code));
        }
    }

    @Test
    void thePageQuotesARealReason() {
        String text = "[acceptance]\ncheck: fileExists path=a\ncheck: testPass\n[/acceptance]";
        String reason =
                DodParser.parse(text, Dod.Source.EXPLICIT).diagnostics().getFirst().message();
        assertThat(page).contains("> " + reason);
    }

    @Test
    void everyKindAndKeyIsDocumented() {
        for (CheckKind kind : CheckKind.values()) {
            assertThat(page).contains("`" + kind.spelling() + "`");
            kind.keys().forEach(key -> assertThat(page).contains("`" + key + "`"));
        }
    }

    @Test
    void everyCodeIsDocumented() {
        Recipes.cases("dod.json").stream()
                .flatMap(c -> diagnostics(c).stream())
                .map(Diagnostic::code)
                .distinct()
                .forEach(code -> assertThat(page).contains("| `" + code + "` |"));
    }

    private static List<Diagnostic> diagnostics(JsonNode c) {
        return c.has("expectError")
                ? List.of()
                : DodParser.parse(Recipes.text(c, "text"), Dod.Source.EXPLICIT).diagnostics();
    }
}
