package io.countersign.scrub;

/**
 * Redacts secrets. Whatever is stored, logged, shown or sent to a grader passes through here first,
 * and before it is cut: half a secret has no shape to know it by.
 */
public final class Scrubber {
    /** What stands in place of a secret. */
    public static final String MARKER = "[REDACTED]";

    /**
     * A redaction can change what the text around it looks like, so passes repeat until nothing is
     * left to redact. Two do in practice; the bound keeps hostile input linear.
     */
    private static final int MAX_PASSES = 6;

    private Scrubber() {}

    /**
     * The text cleaned as by {@link Clean#text} (a colour code or a NUL inside a secret would hide
     * it), with every secret replaced by {@link #MARKER}. References to secrets ({@code ${VAR}},
     * {@code process.env.X}), types and names stay, because graders read diffs. Idempotent; linear
     * in the length.
     */
    public static String scrub(String raw) {
        String text = Clean.text(raw);
        for (int pass = 0; pass < MAX_PASSES; pass++) {
            Spans spans = find(text);
            if (spans.isEmpty()) {
                return text;
            }
            String redacted = spans.redact(text);
            if (redacted.equals(text)) {
                return text;
            }
            text = redacted;
        }
        return text;
    }

    private static Spans find(String text) {
        Spans spans = new Spans();
        TokenShapes.find(text, spans);
        WebTokens.find(text, spans);
        KeyBlocks.find(text, spans);
        UrlCredentials.find(text, spans);
        Credentials.find(text, spans);
        Assignments.find(text, spans);
        return spans;
    }
}
