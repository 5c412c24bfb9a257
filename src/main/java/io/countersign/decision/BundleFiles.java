package io.countersign.decision;

import io.countersign.grader.FrozenFiles;
import io.countersign.grader.Quotes;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The quoted evidence of a bundle as files, so that a grader's quotes can be checked against it.
 */
final class BundleFiles implements FrozenFiles {
    private final NavigableMap<String, String> texts;

    private BundleFiles(NavigableMap<String, String> texts) {
        this.texts = texts;
    }

    static BundleFiles of(JsonNode bundle) {
        NavigableMap<String, String> texts = new TreeMap<>();
        for (JsonNode item : bundle.path("evidence")) {
            String ref = Documents.text(item, "ref");
            String literal = Documents.text(item, "literal");
            if (ref != null && literal != null) {
                texts.merge(Quotes.pathOf(ref), literal, (a, b) -> a + "\n" + b);
            }
        }
        return new BundleFiles(texts);
    }

    @Override
    public List<Entry> list() {
        return texts.keySet().stream().flatMap(path -> find(path).stream()).toList();
    }

    @Override
    public Optional<Entry> find(String path) {
        @Nullable String text = texts.get(path);
        return text == null
                ? Optional.empty()
                : Optional.of(new Entry(path, bytes(text).length, false));
    }

    @Override
    public byte[] read(String path, int max) throws IOException {
        String text = texts.get(path);
        if (text == null) {
            throw new NoSuchFileException(path);
        }
        byte[] bytes = bytes(text);
        return bytes.length <= max ? bytes : Arrays.copyOf(bytes, max);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
