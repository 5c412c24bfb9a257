package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.text.Normalizer;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds what a word was probably meant to be. */
final class Misspelling {
    private static final List<String> DIRECTIVES = List.of("check", "criteria");
    private static final int EDITS = 2;

    /** No word of the language is longer, so a longer one is like none of them. */
    private static final int LONGEST = 40;

    /** Letters of other scripts that look like those of the directives, once decomposed. */
    private static final Map<Integer, Character> LOOK_ALIKES =
            Map.ofEntries(
                    Map.entry(0x0441, 'c'),
                    Map.entry(0x03F2, 'c'),
                    Map.entry(0x1D04, 'c'),
                    Map.entry(0x04BB, 'h'),
                    Map.entry(0x043D, 'h'),
                    Map.entry(0x029C, 'h'),
                    Map.entry(0x0435, 'e'),
                    Map.entry(0x0454, 'e'),
                    Map.entry(0x03B5, 'e'),
                    Map.entry(0x1D07, 'e'),
                    Map.entry(0x043A, 'k'),
                    Map.entry(0x03BA, 'k'),
                    Map.entry(0x1D0B, 'k'),
                    Map.entry(0x0433, 'r'),
                    Map.entry(0x0280, 'r'),
                    Map.entry(0x0456, 'i'),
                    Map.entry(0x03B9, 'i'),
                    Map.entry(0x0131, 'i'),
                    Map.entry(0x026A, 'i'),
                    Map.entry(0x0442, 't'),
                    Map.entry(0x03C4, 't'),
                    Map.entry(0x1D1B, 't'),
                    Map.entry(0x0430, 'a'),
                    Map.entry(0x03B1, 'a'),
                    Map.entry(0x0251, 'a'),
                    Map.entry(0x1D00, 'a'));

    private Misspelling() {}

    /**
     * The directive that a line's first word was meant to be, if it is {@code check} or {@code
     * criteria}: at most two edits away, also once look-alike letters are read as what they look
     * like and invisible characters are dropped.
     */
    static @Nullable String directive(String word) {
        @Nullable String near = near(word.toLowerCase(Locale.ROOT), DIRECTIVES, EDITS);
        return near != null ? near : near(skeleton(word), DIRECTIVES, EDITS);
    }

    /** The kind or key that a word was probably meant to be; only for a message. */
    static @Nullable String suggestion(String word, Collection<String> known) {
        for (String candidate : known) {
            boolean starts =
                    word.length() >= 4 && candidate.regionMatches(true, 0, word, 0, word.length());
            if (starts || candidate.equalsIgnoreCase(word)) return candidate;
        }
        return near(word, known, EDITS);
    }

    private static String skeleton(String word) {
        if (word.length() > 16 * LONGEST) return word;
        StringBuilder seen = new StringBuilder();
        Normalizer.normalize(word, Normalizer.Form.NFKD)
                .toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(c -> !isUnseen(c))
                .forEach(c -> append(seen, c));
        return seen.toString();
    }

    private static boolean isUnseen(int c) {
        return switch (Character.getType(c)) {
            case Character.FORMAT, Character.NON_SPACING_MARK, Character.CONTROL -> true;
            default -> false;
        };
    }

    private static void append(StringBuilder seen, int c) {
        @Nullable Character letter = LOOK_ALIKES.get(c);
        if (letter == null) {
            seen.appendCodePoint(c);
        } else {
            seen.append(letter.charValue());
        }
    }

    private static @Nullable String near(String word, Collection<String> known, int edits) {
        if (word.length() > LONGEST) return null;
        @Nullable String best = null;
        int least = edits + 1;
        for (String candidate : known) {
            int distance = distance(word, candidate);
            if (distance < least) {
                best = candidate;
                least = distance;
            }
        }
        return best;
    }

    /** The Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
