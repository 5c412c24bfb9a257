package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.artefact.ChangedFile.Status;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

class ChangeSetHashTests {
    private static final Sha256 DIGEST = Sha256.of("x\n");

    static Stream<Arguments> cases() throws Exception {
        try (InputStream json =
                ChangeSetHashTests.class.getResourceAsStream("/cases/changeset.json")) {
            JsonNode cases = JsonMapper.shared().readTree(json);
            return StreamSupport.stream(cases.spliterator(), false)
                    .map(c -> Arguments.argumentSet(c.get("name").asString(), c));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void hashesOrRefusesEveryCase(JsonNode c) {
        List<FileDigest> files = new ArrayList<>();
        for (JsonNode file : c.get("files")) {
            JsonNode content = file.get("contentBase64");
            files.add(
                    new FileDigest(
                            file.get("path").stringValue(),
                            content.isNull() ? null : Sha256.of(bytes(content)).hex()));
        }
        if (c.has("expectStatus")) {
            assertThatThrownBy(() -> ChangeSetHash.read("/files", files))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            problem ->
                                    assertThat(problem.code().status())
                                            .isEqualTo(c.get("expectStatus").intValue()));
            return;
        }
        String expected = c.get("sha256").stringValue();
        assertThat(ChangeSetHash.of(ChangeSetHash.read("/files", files)).hex()).isEqualTo(expected);
        Collections.shuffle(files, new Random(7));
        assertThat(ChangeSetHash.of(ChangeSetHash.read("/files", files)).hex()).isEqualTo(expected);
    }

    private static byte[] bytes(JsonNode content) {
        if (content.isString()) {
            return Base64.getDecoder().decode(content.stringValue());
        }
        byte[] bytes = new byte[content.get("repeat").get(1).intValue()];
        Arrays.fill(bytes, (byte) content.get("repeat").get(0).intValue());
        return bytes;
    }

    @Test
    void namesTheMemberThatIsWrong() {
        List<FileDigest> files =
                List.of(new FileDigest("a", null), new FileDigest("b/../c", DIGEST.hex()));
        assertThatThrownBy(() -> ChangeSetHash.read("/changeSet/files", files))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.code()).isEqualTo(ProblemCode.PATH_ESCAPES);
                            assertThat(problem.errors().getFirst().pointer())
                                    .isEqualTo("/changeSet/files/1/path");
                            assertThat(problem.detail()).contains("\"b/../c\" has a .. segment");
                        });
    }

    @Test
    void refusesADigestThatIsNone() {
        List<FileDigest> files = List.of(new FileDigest("a", "abc"));
        assertThatThrownBy(() -> ChangeSetHash.read("", files))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("/0/sha256")
                .hasMessageContaining("64 lower-case hex digits");
    }

    @Test
    void countsTheFormerPathOfARenamedFileAsMissing() {
        ChangedFile renamed = new ChangedFile("new", Status.RENAMED, "old", DIGEST);
        List<FileDigest> apart =
                List.of(new FileDigest("old", null), new FileDigest("new", DIGEST.hex()));
        assertThat(ChangeSetHash.of(List.of(renamed)))
                .isEqualTo(ChangeSetHash.of(ChangeSetHash.read("", apart)));
    }

    @Test
    void doesNotHashTheSamePathTwice() {
        List<ChangedFile> files =
                List.of(
                        new ChangedFile("b", Status.RENAMED, "a", DIGEST),
                        new ChangedFile("a", Status.ADDED, null, DIGEST));
        assertThatThrownBy(() -> ChangeSetHash.of(files))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"a\" is given twice");
    }
}
