package io.countersign.artefact;

/** Names of files, which may hold anything, in a form that fits a message: one line, bounded. */
final class Shown {
    private static final int LIMIT = 200;

    private Shown() {}

    /** The text in double quotes; control characters and the like as {@code \\uXXXX}. */
    static String text(String raw) {
        StringBuilder shown = new StringBuilder("\"");
        int end = Math.min(raw.length(), LIMIT);
        for (int i = 0; i < end; ) {
            int point = raw.codePointAt(i);
            i += Character.charCount(point);
            if (point == '"') {
                shown.append("\\\"");
            } else if (isPlain(point)) {
                shown.appendCodePoint(point);
            } else {
                shown.append("\\u").append(String.format("%04X", point));
            }
        }
        return shown.append(raw.length() > LIMIT ? "...\"" : "\"").toString();
    }

    private static boolean isPlain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }

    static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isHighSurrogate(unit)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(unit)) {
                return true;
            }
        }
        return false;
    }
}
