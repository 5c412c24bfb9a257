package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.GraderReply.Unreadable;
import io.countersign.grader.GraderReply.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page implies beyond its case file. */
@Timeout(5)
class ReplyReaderTests {
    private static final String PASS = "{\"pass\":true,\"reasons\":[\"ok\"]}";
    private static final String FAIL = "{\"pass\":false,\"reasons\":[\"no\"]}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The part before a closing tag that stands inside a verdict's string is no
                // thinking.
                "My verdict: {\"pass\":false,\"reasons\":[\"it prints </think>\"]} "
                        + "{\"pass\":true,\"reasons\":[]}",
                // A list or an outer object around the verdict, broken or whole.
                "Result: [{\"pass\":true,\"reasons\":[]}]",
                "Result: [{\"pass\":true,\"reasons\":[]}, oops",
                "Result: {\"verdict\": {\"pass\":true,\"reasons\":[]}, oops",
                "\"verdict\": {\"pass\":true,\"reasons\":[]}}",
                "{{\"pass\":true,\"reasons\":[]}}",
                // A second object that cannot be a verdict spoils the first.
                "{\"pass\":true,\"reasons\":[]} {\"reasons\":[\"cannot judge\"]}",
                "{\"pass\":true,\"reasons\":[]} {pass:false}",
                "{\"pass\":true,\"reasons\":[]} {'pass':false}",
                "{\"pass\":true,\"reasons\":[]} {\\\"pass\\\":false}",
                "{\"pass\":true,\"reasons\":[]} {&quot;pass&quot;:false}",
                "{\"pass\":true,\"reasons\":[]} {\"criterion\":2,\"note\":\"cut",
                "{\"pass\":true,\"reasons\":[]} {\"result\":{\"pass\":false}}",
                // A verdict whose own members hold another.
                "{\"pass\":true,\"reasons\":[],\"draft\":{\"pass\":false}}",
                "{\"pass\":true,\"reasons\":[],\"drafts\":[[{\"pass\":true}]]}",
                // Thinking that never ends, or that comes last.
                "<think>{\"pass\":true,\"reasons\":[]}",
                "{\"pass\":true,\"reasons\":[]}</think>",
                "<think>a</think>",
                // Evidence that cannot be looked up.
                "{\"pass\":true,\"reasons\":[],\"evidence\":null}",
                "{\"pass\":true,\"reasons\":[],\"evidence\":[{\"criterion\":\"1\",\"ref\":\"a\","
                        + "\"quote\":\"b\"}]}",
                "{\"pass\":true,\"reasons\":[],\"evidence\":[{\"criterion\":1,\"ref\":\"a\"}]}",
                "{\"pass\":true,\"reasons\":[],\"evidence\":[\"a:1\"]}",
                "{\"pass\":true,\"reasons\":null}",
                "{\"pass\":true,\"reasons\":[],\"x\":1,\"x\":1}",
                "{\"pass\":true,\"reasons\":[\"a\nb\"]}",
                "// yes\n{\"pass\":true,/* all */\"reasons\":[]}",
                "\"{\\\"pass\\\":true,\\\"reasons\\\":[]}\"",
                "true",
                "null"
            })
    void believesNothingOnWhichReadersCouldDisagree(String reply) {
        assertThat(ReplyReader.read(reply)).isInstanceOf(Unreadable.class);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "`maybe {\"pass\":true}\n</think>\n{\"pass\":false,\"reasons\":[\"no\"]}`|false",
                "`I doubt {\"pass\": ...\n</think>{\"pass\":true,\"reasons\":[]}`|true",
                "`<THINK >a</Think > {\"pass\":true,\"reasons\":[]}`|true",
                "`Sure. <think>{\"pass\":true}</think> {\"pass\":false,\"reasons\":[]}`|false",
                "`<think>a<think>b</think>c</think>{\"pass\":true,\"reasons\":[]}`|true",
                "`See [the docs](docs/a.md) and [1, 2].\n{\"pass\":true,\"reasons\":[]}`|true",
                "`It has {\"a\": 1} and {\"b\": ...} in it. {\"pass\":true,\"reasons\":[]}`|true",
                "`{\"pass\":true,\"reasons\":[\"[{]} and </think> stay\"]}`|true",
            })
    void readsAVerdictThatStandsFree(String reply, boolean pass) {
        assertThat(ReplyReader.read(reply))
                .isInstanceOfSatisfying(
                        Verdict.class, verdict -> assertThat(verdict.pass()).isEqualTo(pass));
    }

    @Test
    void readsNothingOutOfAnEmptyReply() {
        assertThat(ReplyReader.read("")).isInstanceOf(Unreadable.class);
    }

    @Test
    void takesAByteOrderMarkForProse() {
        assertThat(ReplyReader.read("\uFEFF" + PASS)).isInstanceOf(Verdict.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "[[",
                "{\"",
                "[{\"",
                "{\"a\":[",
                "<think>",
                "</think>",
                "{\"a\":\"",
                "[\"a\","
            })
    void staysLinearOnHostileRepetition(String piece) {
        read(piece.repeat(200_000 / piece.length()));
    }

    @Test
    void staysLinearOnHostileSpace() {
        read("{" + " ".repeat(300_000) + "x");
        read(("{" + " ".repeat(999)).repeat(300));
        read("<think" + " ".repeat(300_000));
    }

    private static void read(String hostile) {
        assertThat(ReplyReader.read(hostile)).isInstanceOf(Unreadable.class);
        ReplyReader.read(hostile + PASS);
        ReplyReader.read(FAIL + hostile + PASS);
    }
}
