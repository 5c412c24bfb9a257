package io.countersign.scrub;

/** Cuts long text to a size, saying how much is missing. Secrets are scrubbed before the cut. */
public final class Bounded {
    private Bounded() {}

    /**
     * The beginning and the end of a text, about half each, with the number of characters left out
     * between them.
     *
     * @param maxChars bound on the kept characters in UTF-16 units, at least 2; the line that names
     *     the gap comes on top
     */
    public static String headTail(String raw, int maxChars) {
        String text = scrubbed(raw, maxChars);
        if (text.length() <= maxChars) {
            return text;
        }
        int head = Clean.floor(text, maxChars / 2);
        int tail = ceiling(text, text.length() - (maxChars - maxChars / 2));
        return text.substring(0, head)
                + "\n[... "
                + (tail - head)
                + " characters left out ...]\n"
                + text.substring(tail);
    }

    /**
     * The end of a text, with the number of characters left out before it.
     *
     * @param maxChars bound on the kept characters in UTF-16 units, at least 2; the line that names
     *     the gap comes on top
     */
    public static String tail(String raw, int maxChars) {
        String text = scrubbed(raw, maxChars);
        if (text.length() <= maxChars) {
            return text;
        }
        int tail = ceiling(text, text.length() - maxChars);
        return "[... " + tail + " characters left out ...]\n" + text.substring(tail);
    }

    private static String scrubbed(String raw, int maxChars) {
        if (maxChars < 2) {
            throw new IllegalArgumentException("maxChars must be at least 2");
        }
        return Scrubber.scrub(raw);
    }

    private static int ceiling(String text, int index) {
        int floor = Clean.floor(text, index);
        return floor == index ? index : index + 1;
    }
}
