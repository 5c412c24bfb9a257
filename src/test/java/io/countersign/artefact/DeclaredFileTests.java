package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.artefact.ChangedFile.Status;
import io.countersign.artefact.DeclaredFile.Request;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

class DeclaredFileTests {
    @Test
    void readsEveryStatus() {
        List<DeclaredFile> read =
                DeclaredFile.read(
                        "",
                        List.of(
                                new Request("a", "added", null),
                                new Request("b", "written", null),
                                new Request("c", "modified", null),
                                new Request("d", "deleted", null),
                                new Request("e", "renamed", "f"),
                                new Request("g", null, null)));
        assertThat(read)
                .extracting(DeclaredFile::status)
                .containsExactly(
                        Status.ADDED,
                        Status.ADDED,
                        Status.MODIFIED,
                        Status.DELETED,
                        Status.RENAMED,
                        Status.MODIFIED);
        assertThat(read.get(4).from()).isEqualTo(new WorkspacePath("f"));
    }

    static Stream<Arguments> faults() {
        Request a = new Request("a", null, null);
        return Stream.of(
                Arguments.of(List.of(a, a), ProblemCode.PATH_DUPLICATE, "/1/path"),
                Arguments.of(
                        List.of(a, new Request("b", "renamed", "a")),
                        ProblemCode.PATH_DUPLICATE,
                        "/1/from"),
                Arguments.of(
                        List.of(new Request("a", "renamed", "a")),
                        ProblemCode.PATH_DUPLICATE,
                        "/0/from"),
                Arguments.of(
                        List.of(new Request("a", "renamed", null)),
                        ProblemCode.INVALID_REQUEST,
                        "/0/from"),
                Arguments.of(
                        List.of(new Request("a", "added", "b")),
                        ProblemCode.INVALID_REQUEST,
                        "/0/from"),
                Arguments.of(
                        List.of(new Request("a", "touched", null)),
                        ProblemCode.INVALID_REQUEST,
                        "/0/status"),
                Arguments.of(
                        List.of(new Request("../a", null, null)),
                        ProblemCode.PATH_ESCAPES,
                        "/0/path"),
                Arguments.of(
                        List.of(new Request("a", "renamed", "/b")),
                        ProblemCode.PATH_ESCAPES,
                        "/0/from"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void refuses(List<Request> files, ProblemCode code, String pointer) {
        assertThatThrownBy(() -> DeclaredFile.read("/changedFiles", files))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.code()).isEqualTo(code);
                            assertThat(problem.errors().getFirst().pointer())
                                    .isEqualTo("/changedFiles" + pointer);
                        });
    }
}
