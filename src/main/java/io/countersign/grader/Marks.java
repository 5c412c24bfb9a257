package io.countersign.grader;

import java.util.regex.Pattern;

/**
 * The lines that only the service can write into a prompt. They carry a random nonce per call, so
 * that nothing inside the artefact can open or close a section.
 *
 * @param nonce at least 128 random bits in letters and digits
 */
record Marks(String nonce) {
    private static final Pattern LOOK_ALIKE =
            Pattern.compile("<<<(?=\\s*COUNTERSIGN)", Pattern.CASE_INSENSITIVE);

    Marks {
        if (!nonce.matches("[0-9a-zA-Z]{22,}")) {
            throw new IllegalArgumentException("a nonce has at least 22 letters and digits");
        }
    }

    String line(String what) {
        return "<<<COUNTERSIGN " + nonce + " " + what + ">>>";
    }

    /** The text in which nothing looks like a mark. */
    String neutral(String text) {
        return LOOK_ALIKE.matcher(text).replaceAll("<(<)<").replace(nonce, "(nonce)");
    }
}
