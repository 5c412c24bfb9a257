package io.countersign.dod;

import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Infers a Definition of Done for a dispatch that brings none. Never vacuous. */
public final class Inference {
    /** A dispatch of no words at all is still a task that somebody has to judge. */
    private static final String FALLBACK =
            "the delegated task is completed as described in the dispatch";

    private static final int CRITERION_CODE_POINTS = 120;

    /** In the order in which the first that matches wins. */
    private enum Category {
        BUGFIX("bugfix", "bug|fix|broken|regression|failing"),
        REFACTOR("refactor", "refactor|rename|extract|restructure|cleanup|clean up"),
        WRITE_FILE("writeFile", "write|generate|emit|scaffold"),
        IMPL("impl", "implement|add|feature|create|build|endpoint|function|component|fix"),
        TEST("test", "test|spec|coverage"),
        UNKNOWN("unknown", "");

        private final String wire;
        private final Pattern words;

        Category(String wire, String words) {
            this.wire = wire;
            String letter = "[\\p{IsLatin}\\p{M}\\p{Nd}_]";
            this.words = Pattern.compile("(?<!" + letter + ")(?:" + words + ")(?!" + letter + ")");
        }

        static Category of(String dispatch, Hints hints) {
            String lower = dispatch.toLowerCase(Locale.ROOT);
            for (Category category : values()) {
                if (category == UNKNOWN) break;
                if (category == WRITE_FILE && hints.declaredPath() == null) continue;
                if (category.words.matcher(lower).find()) return category;
            }
            return UNKNOWN;
        }
    }

    private Inference() {}

    /**
     * @throws ProblemException 422 when a text is over its limit or holds what cannot be stored
     */
    public static Inferred infer(String dispatch, Hints hints) {
        Limits.text(dispatch);
        Hints known = clean(hints);
        Category category = Category.of(dispatch, known);
        List<Check> checks = checks(category, known);
        List<String> criteria = checks.isEmpty() ? List.of(criterion(dispatch)) : List.of();
        Dod dod = new Dod(Dod.Source.INFERRED, known.declaredPath(), checks, criteria, List.of());
        return new Inferred(dod, category.wire);
    }

    private static List<Check> checks(Category category, Hints hints) {
        List<Check> checks = new ArrayList<>();
        boolean builds = category == Category.BUGFIX || category == Category.IMPL;
        if ((builds || category == Category.REFACTOR) && hints.buildCommand() != null) {
            checks.add(new Check.BuildPasses(hints.buildCommand(), null, 0));
        }
        if (category == Category.REFACTOR && hints.lintCommand() != null) {
            checks.add(new Check.LintClean(hints.lintCommand(), null, 0));
        }
        if (category == Category.WRITE_FILE && hints.declaredPath() != null) {
            checks.add(new Check.FileExists(hints.declaredPath(), 0));
        }
        if ((builds || category == Category.TEST) && hints.testCommand() != null) {
            checks.add(new Check.TestsPass(hints.testCommand(), null, null, null, 0));
        }
        return checks;
    }

    private static String criterion(String dispatch) {
        for (Line line : Line.split(dispatch)) {
            String cut = cut(fold(line.text()));
            if (!Text.isBlank(cut)) return cut;
        }
        return FALLBACK;
    }

    /** Every run of white space as one space. What cannot be stored counts as white space. */
    private static String fold(String line) {
        StringBuilder folded = new StringBuilder();
        line.codePoints()
                .forEach(
                        c -> {
                            boolean space =
                                    Text.isSpace(c)
                                            || Character.isWhitespace(c)
                                            || Text.isUnstorable(c);
                            if (!space) {
                                folded.appendCodePoint(c);
                            } else if (folded.isEmpty()
                                    || folded.charAt(folded.length() - 1) != ' ') {
                                folded.append(' ');
                            }
                        });
        return folded.toString();
    }

    /** Cut by code points: half an emoji is refused by canonical JSON. */
    private static String cut(String line) {
        int length = line.codePointCount(0, line.length());
        int end =
                length <= CRITERION_CODE_POINTS
                        ? line.length()
                        : line.offsetByCodePoints(0, CRITERION_CODE_POINTS);
        return Text.strip(line.substring(0, end));
    }

    private static Hints clean(Hints hints) {
        return new Hints(
                clean("testCommand", hints.testCommand()),
                clean("buildCommand", hints.buildCommand()),
                clean("lintCommand", hints.lintCommand()),
                clean("declaredPath", hints.declaredPath()));
    }

    private static @Nullable String clean(String name, @Nullable String hint) {
        if (hint == null || Text.isBlank(hint)) return null;
        Limits.value(hint, 0);
        if (Text.isUnstorable(hint)) {
            throw ProblemException.invalid("/hints/" + name, "holds NUL or half a surrogate pair");
        }
        return Text.strip(hint);
    }
}
