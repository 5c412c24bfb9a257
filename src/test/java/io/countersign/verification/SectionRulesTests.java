package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.ProblemException.FieldError;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;

class SectionRulesTests {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration SERVER = Duration.ofSeconds(90);
    private static final Duration MAX = Duration.ofMinutes(30);

    private final SectionRules rules =
            new SectionRules("verify")
                    .choice("require", List.of("always", "never"))
                    .flag("preferDeterministic")
                    .millis("gateBudgetMs", 1_800_000)
                    .texts("allowlist", text -> text.isBlank() ? "is blank" : null);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"require": "sometimes"} | /require
                    {"preferDeterministic": "yes"} | /preferDeterministic
                    {"gateBudgetMs": 0} | /gateBudgetMs
                    {"gateBudgetMs": -1} | /gateBudgetMs
                    {"gateBudgetMs": 1.5} | /gateBudgetMs
                    {"gateBudgetMs": 1800001} | /gateBudgetMs
                    {"gateBudgetMs": "90000"} | /gateBudgetMs
                    {"allowlist": ["npm", ""]} | /allowlist
                    {"allowlist": "npm"} | /allowlist
                    {"gateBudget": 1} | /gateBudget
                    """)
    void namesTheMemberThatIsWrong(String section, String pointer) {
        assertThat(rules.validate(JSON.readTree(section)))
                .extracting(FieldError::pointer)
                .containsExactly(pointer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"require\": null}",
                "{\"require\": \"always\", \"gateBudgetMs\": 1800000, \"allowlist\": [\"npm\"]}"
            })
    void takesWhatIsWellFormed(String section) {
        assertThat(rules.validate(JSON.readTree(section))).isEmpty();
    }

    /** A value that reaches the service another way never lifts a bound. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {} | 90000
                    {"gateBudgetMs": null} | 90000
                    {"gateBudgetMs": 0} | 90000
                    {"gateBudgetMs": -5} | 90000
                    {"gateBudgetMs": "never"} | 90000
                    {"gateBudgetMs": 1e400} | 90000
                    {"gateBudgetMs": 99999999999999999999} | 90000
                    {"gateBudgetMs": 1000} | 1000
                    {"gateBudgetMs": 9223372036854775807} | 1800000
                    """)
    void aBrokenCeilingBecomesTheDefaultOne(String section, long millis) {
        PolicyNode node = new PolicyNode("acme", "verify", JSON.readTree(section));
        assertThat(node.ceiling("gateBudgetMs", SERVER, MAX)).hasMillis(millis);
    }
}
