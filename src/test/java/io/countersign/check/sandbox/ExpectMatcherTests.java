package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

class ExpectMatcherTests {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            delimiter = '~',
            value = {
                "parser loaded ~ parser loaded",
                "<[1mparser<[22m <[32mloaded<[39m ~ parser loaded",
                "pars<[38;5;196mer loaded ~ parser loaded",
                "pars<]0;a title@er loaded ~ parser loaded",
                "pars<]8;;link<\\er loaded ~ parser loaded",
                "pars<(Ber loaded ~ parser loaded",
                "pars<7er loaded ~ parser loaded",
                "pars\u009b1mer loaded ~ parser loaded",
                "<<[1mparser loaded ~ parser loaded",
                "\u00c2\u00bb \u00e9t\u00e9 ~ \u00bb \u00e9t\u00e9",
                "ababababac ~ ababac",
                "aaaaaaab ~ aaab",
            })
    void findsTextThroughTerminalSequences(String stream, String expect) {
        assertThat(found(expect, stream.replace('<', '\u001b').replace('@', '\u0007'))).isTrue();
    }

    @Test
    void letsAStringThatIsNeverClosedSwallowNoMoreThanItsLine() {
        assertThat(found("parser loaded", "\u001b]never closed\nparser loaded")).isTrue();
    }

    @Test
    void findsNothingInsideASequence() {
        assertThat(found("title", "\u001b]0;title\u0007")).isFalse();
        assertThat(found("31m", "\u001b[31m")).isFalse();
        assertThat(found("parser loaded", "parser  loaded")).isFalse();
        assertThat(found("Parser", "parser")).isFalse();
        assertThat(found("x", "")).isFalse();
    }

    @Test
    void keepsControlCharactersAndInvalidBytesAsTheyAre() {
        assertThat(found("a\tb", "a\tb")).isTrue();
        var matcher = new ExpectMatcher("ok");
        byte[] bytes = {(byte) 0xff, 0, 'o', 'k'};
        matcher.accept(bytes, bytes.length);
        assertThat(matcher.found()).isTrue();
    }

    @RepeatedTest(50)
    void findsTheSameInPiecesOfAnyLength(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        byte[] stream = coloured("needle", random);
        var matcher = new ExpectMatcher("needle");
        for (int at = 0; at < stream.length; ) {
            int length = Math.min(1 + random.nextInt(4), stream.length - at);
            matcher.accept(Arrays.copyOfRange(stream, at, at + length), length);
            at += length;
        }
        assertThat(matcher.found()).isTrue();
    }

    private static byte[] coloured(String text, Random random) {
        var out = new ByteArrayOutputStream();
        String[] sequences = {"\u001b[0m", "\u001b[1;31m", "\u001b]0;t\u0007", "\u001b(B", ""};
        for (int i = 0; i < 20; i++) out.writeBytes(utf8("nee" + sequences[random.nextInt(5)]));
        for (char c : text.toCharArray()) {
            out.writeBytes(utf8(sequences[random.nextInt(5)]));
            out.write(c);
        }
        return out.toByteArray();
    }

    private static boolean found(String expect, String stream) {
        var matcher = new ExpectMatcher(expect);
        byte[] bytes = utf8(stream);
        matcher.accept(bytes, bytes.length);
        return matcher.found();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
