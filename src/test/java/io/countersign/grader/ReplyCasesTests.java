package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.GraderReply.Unreadable;
import io.countersign.grader.GraderReply.Verdict;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Stream;

class ReplyCasesTests {
    static Stream<Arguments> cases() {
        return Cases.of("replies.json")
                .map(item -> Arguments.argumentSet(item.get("name").stringValue(), item));
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Timeout(5)
    void believesOfAReplyWhatTheCaseSays(JsonNode item) {
        JsonNode expect = item.get("expect");
        GraderReply reply = ReplyReader.read(Cases.text(item, "reply"));
        if (!expect.get("parsed").booleanValue()) {
            assertThat(reply).isInstanceOf(Unreadable.class);
            return;
        }
        assertThat(reply)
                .isInstanceOfSatisfying(
                        Verdict.class,
                        verdict -> {
                            assertThat(verdict.pass()).isEqualTo(expect.get("pass").booleanValue());
                            List<String> reasons =
                                    expect.get("reasons")
                                            .valueStream()
                                            .map(JsonNode::stringValue)
                                            .toList();
                            assertThat(verdict.reasons()).isEqualTo(reasons);
                        });
    }
}
