package io.countersign.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CleanTests {
    private static final String SECRET = "gh" + "p_" + "a1B2".repeat(9);

    @Test
    void keepsNewlinesAndTabsInText() {
        assertThat(Clean.text("a\tb\nc\r\nd\rE\u0000\u0008\u007f\u0085\u009f!"))
                .isEqualTo("a\tb\nc\r\nd\nE!");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[31mred\u001b[0m",
                "\u001b]0;title\u0007red",
                "\u001b]8;;https://example.com\u001b\\red",
                "\u009b31mred",
                "\u001b(Bred",
                "\u001bPq#0\u001b\\red",
                "\u001b[38;2;1;2;3mred\u001b[K",
                "\u001b7red\u001b",
                "\u001b[31\u001b[0mred"
            })
    void removesTerminalSequences(String text) {
        assertThat(Clean.text(text)).isEqualTo("red");
    }

    @Test
    void aTitleThatNeverEndsHidesNoText() {
        assertThat(Clean.text("\u001b]0;1 failed\nnext")).isEqualTo("0;1 failed\nnext");
    }

    @Test
    void replacesLoneSurrogates() {
        assertThat(Clean.text("a\ud800b\udc00c\ud83d\ude00"))
                .isEqualTo("a\ufffdb\ufffdc\ud83d\ude00");
    }

    @Test
    void aLineHasNoBreaksDirectionMarksOrInvisibleCharacters() {
        String forged = "a\u2028b\u2029c\nd\te\u202ef\u2066g\u200bh\ufeffi\udb40\udc41";

        assertThat(Clean.line(forged, 100)).isEqualTo("a b c d efghi");
    }

    @ParameterizedTest
    @CsvSource({"abc,3,abc", "abcd,3,ab\u2026", "a\ud83d\ude00b,3,a\u2026", "abcd,1,\u2026"})
    void cutsALineBetweenCodePoints(String text, int max, String expected) {
        assertThat(Clean.line(text, max)).isEqualTo(expected);
    }

    @Test
    void scrubsALineBeforeItIsCut() {
        assertThat(Clean.line("x " + SECRET, 20)).isEqualTo("x [REDACTED]");
        assertThat(Clean.line("x " + SECRET.replace("a1", "a\u200b1"), 20))
                .isEqualTo("x [REDACTED]");
    }

    @Test
    void boundedTextNamesWhatIsMissing() {
        assertThat(Bounded.headTail("0123456789", 4))
                .isEqualTo("01\n[... 6 characters left out ...]\n89");
        assertThat(Bounded.tail("0123456789", 4))
                .isEqualTo("[... 6 characters left out ...]\n6789");
        assertThat(Bounded.headTail("0123", 4)).isEqualTo("0123");
    }

    @Test
    void boundedTextSplitsNoCodePointAndIsScrubbedBeforeTheCut() {
        String smiles = "\ud83d\ude00".repeat(10);

        assertThat(Bounded.headTail(smiles, 6)).doesNotContain("\ufffd").satisfies(this::isWhole);
        assertThat(Bounded.tail(smiles, 5)).satisfies(this::isWhole);
        assertThat(Bounded.tail("log " + SECRET + "!", 12)).endsWith("[REDACTED]!");
        assertThatIllegalArgumentException().isThrownBy(() -> Bounded.tail("x", 1));
    }

    private void isWhole(String text) {
        assertThat(Clean.text(text)).isEqualTo(text);
    }
}
