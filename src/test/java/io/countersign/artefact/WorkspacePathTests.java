package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

class WorkspacePathTests {
    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("", ProblemCode.PATH_INVALID, "is empty"),
                Arguments.of("/", ProblemCode.PATH_ESCAPES, "is absolute"),
                Arguments.of("/etc/passwd", ProblemCode.PATH_ESCAPES, "is absolute"),
                Arguments.of("C:/x", ProblemCode.PATH_ESCAPES, "drive letter"),
                Arguments.of("c:x", ProblemCode.PATH_ESCAPES, "drive letter"),
                Arguments.of("a\\b", ProblemCode.PATH_INVALID, "backslash"),
                Arguments.of("a\0b", ProblemCode.PATH_INVALID, "NUL"),
                Arguments.of("a\ud800b", ProblemCode.PATH_INVALID, "lone surrogate"),
                Arguments.of("a\udc00", ProblemCode.PATH_INVALID, "lone surrogate"),
                Arguments.of("cafe\u0301", ProblemCode.PATH_NOT_NFC, "not in Unicode NFC"),
                Arguments.of("\u0958", ProblemCode.PATH_NOT_NFC, "not in Unicode NFC"),
                Arguments.of("a//b", ProblemCode.PATH_INVALID, "empty segment"),
                Arguments.of("a/", ProblemCode.PATH_INVALID, "ends in a slash"),
                Arguments.of(".", ProblemCode.PATH_INVALID, "a . segment"),
                Arguments.of("a/./b", ProblemCode.PATH_INVALID, "a . segment"),
                Arguments.of("..", ProblemCode.PATH_ESCAPES, "a .. segment"),
                Arguments.of("a/..", ProblemCode.PATH_ESCAPES, "a .. segment"),
                Arguments.of("a/../../b", ProblemCode.PATH_ESCAPES, "a .. segment"),
                Arguments.of("x".repeat(256), ProblemCode.PATH_INVALID, "more than 255 bytes"),
                Arguments.of("\u00e9".repeat(128), ProblemCode.PATH_INVALID, "255 bytes"),
                Arguments.of("ab/".repeat(667) + "x", ProblemCode.PATH_INVALID, "2000 bytes"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void refuses(String path, ProblemCode code, String message) {
        assertThatThrownBy(() -> WorkspacePath.parse("/files", path))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.code()).isEqualTo(code);
                            assertThat(problem.detail()).contains(message).startsWith("/files: ");
                        });
        assertThatThrownBy(() -> new WorkspacePath(path))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a/b",
                "..a",
                "a..",
                "...",
                ".hidden/.x",
                " lead",
                "trail ",
                "a b",
                "ab:d",
                "ab:c",
                "caf\u00e9",
                "\ud83d\ude00.txt",
                "new\nline",
                "-rf",
                "*",
                "~"
            })
    void accepts(String path) {
        assertThat(WorkspacePath.parse("", path).value()).isEqualTo(path);
    }

    @Test
    void showsNamesOnOneLineAndBounded() {
        assertThatThrownBy(() -> WorkspacePath.parse("", "/a\n\u202e\"" + "y".repeat(500)))
                .hasMessageStartingWith("the path \"/a\\u000A\\u202E\\\"yyy")
                .hasMessageContaining("...\" is absolute")
                .message()
                .hasSizeLessThan(400);
    }

    @Test
    void sortsLikeUtf8Bytes() {
        Random random = new Random(42);
        String[] alphabet = {
            "a",
            "b",
            "/",
            "-",
            ".",
            "\u00e9",
            "\uff5e",
            "\ue000",
            "\ud7ff",
            "\ud83d\ude00",
            "\udbff\udfff",
            "\ud800\udc00"
        };
        for (int i = 0; i < 20_000; i++) {
            String left = random(random, alphabet);
            String right = random(random, alphabet);
            int expected =
                    Arrays.compareUnsigned(
                            left.getBytes(StandardCharsets.UTF_8),
                            right.getBytes(StandardCharsets.UTF_8));
            assertThat(Integer.signum(WorkspacePath.compare(left, right)))
                    .as("%s <=> %s", left, right)
                    .isEqualTo(Integer.signum(expected));
        }
    }

    private static String random(Random random, String[] alphabet) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(5); n > 0; n--) {
            text.append(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }

    @Test
    void readsAndWritesAsPlainText() {
        JsonMapper json = JsonMapper.shared();
        assertThat(json.writeValueAsString(new WorkspacePath("a/b"))).isEqualTo("\"a/b\"");
        assertThat(json.readValue("\"a/b\"", WorkspacePath.class))
                .isEqualTo(new WorkspacePath("a/b"));
    }
}
