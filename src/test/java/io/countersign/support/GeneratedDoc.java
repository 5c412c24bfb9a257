package io.countersign.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page of {@code docs/} (or a part of one) that is made from the code. A test says what it should
 * be and fails when the committed page differs; {@code -Ddocs.update=true} writes it instead.
 */
public final class GeneratedDoc {
    private static final String BEGIN = "<!-- generated: %s -->";
    private static final String END = "<!-- end: %s -->";

    private GeneratedDoc() {}

    /** The whole file is generated. */
    public static void assertFile(Path file, String expected) {
        if (Boolean.getBoolean("docs.update")) {
            write(file, expected);
        }
        assertThat(read(file)).as(instruction(file)).isEqualTo(expected);
    }

    /**
     * The part between {@code <!-- generated: name -->} and {@code <!-- end: name -->} is
     * generated.
     */
    public static void assertPart(Path file, String name, String expected) {
        String page = read(file);
        String begin = BEGIN.formatted(name);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(END.formatted(name));
        assertThat(page).as("%s", file).contains(begin, END.formatted(name));
        String part = "\n" + expected.strip() + "\n";
        if (Boolean.getBoolean("docs.update")) {
            write(file, page.substring(0, from) + part + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).as(instruction(file)).isEqualTo(part);
        }
    }

    private static String instruction(Path file) {
        return file + " is made from the code: run ./mvnw verify -Ddocs.update=true and commit it";
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
