package io.countersign.scrub;

import java.util.ArrayList;
import java.util.List;

/**
 * Tokens that their issuers gave a prefix of their own. They are found anywhere, also glued to
 * other text, unless the prefix is also the end of ordinary words.
 */
final class TokenShapes {
    private enum Body {
        /** Letters and digits. */
        ALNUM,
        /** Letters, digits, underscore, hyphen. */
        WORD,
        /** As {@link #WORD}, with dots. */
        DOTTED,
        /** Capital letters and digits. */
        CAPS,
        HEX;

        boolean has(char c) {
            return switch (this) {
                case ALNUM -> Text.isAlnum(c);
                case WORD -> Text.isWord(c);
                case DOTTED -> Text.isWord(c) || c == '.';
                case CAPS -> Text.isUpper(c) || Text.isDigit(c);
                case HEX -> Text.isDigit(c) || c >= 'a' && c <= 'f';
            };
        }
    }

    private enum Left {
        ANY,
        /** No letter or digit before it: the prefix is the end of ordinary words. */
        WORD_START,
        NO_CAPITAL
    }

    /**
     * @param min shortest body
     * @param random whether the first {@code min} characters must mix letters and digits
     */
    private record Shape(String prefix, Body body, int min, boolean random, Left left) {}

    /** How far past the shortest body a shape is examined, so that hostile runs stay linear. */
    private static final int LOOK = 64;

    private static final List<List<Shape>> BY_FIRST_CHAR = index(shapes());

    private TokenShapes() {}

    private static List<Shape> shapes() {
        List<Shape> all = new ArrayList<>();
        add(all, Body.WORD, 16, false, Left.ANY, "sk-ant-", "sk-or-v1-", "sk-svcacct-");
        add(all, Body.WORD, 20, true, Left.ANY, "sk-proj-", "sk-admin-", "sk-lf-", "pk-lf-");
        add(all, Body.ALNUM, 20, true, Left.WORD_START, "sk-");
        add(all, Body.ALNUM, 20, false, Left.ANY, "ghp_", "gho_", "ghu_", "ghs_", "ghr_");
        add(all, Body.WORD, 20, true, Left.ANY, "github_pat_", "dckr_pat_");
        add(all, Body.DOTTED, 20, false, Left.ANY, "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-");
        add(all, Body.WORD, 20, true, Left.ANY, "glsoat-", "glft-", "gloas-", "glimt-", "glagent-");
        add(all, Body.ALNUM, 30, true, Left.ANY, "npm_", "gsk_", "rubygems_", "sbp_");
        add(all, Body.ALNUM, 30, false, Left.ANY, "hf_");
        add(all, Body.WORD, 50, true, Left.ANY, "pypi-AgE");
        add(all, Body.CAPS, 16, false, Left.NO_CAPITAL, "AKIA", "ASIA", "ABIA", "ACCA");
        add(all, Body.WORD, 30, false, Left.ANY, "AIza");
        add(all, Body.WORD, 20, false, Left.ANY, "GOCSPX-");
        add(
                all,
                Body.DOTTED,
                30,
                true,
                Left.WORD_START,
                "ya29.",
                "hvs.",
                "hvb.",
                "dp.pt.",
                "dp.st.");
        add(all, Body.WORD, 12, true, Left.ANY, "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-");
        add(all, Body.WORD, 12, true, Left.ANY, "xoxe-", "xoxc-", "xoxd-", "xoxe.", "xapp-");
        add(all, Body.ALNUM, 16, true, Left.ANY, "sk_live_", "rk_live_", "whsec_");
        add(all, Body.ALNUM, 16, true, Left.WORD_START, "sk_test_", "rk_test_");
        add(all, Body.ALNUM, 40, true, Left.ANY, "xai-", "pplx-");
        add(all, Body.HEX, 40, false, Left.ANY, "dop_v1_", "doo_v1_", "dor_v1_");
        add(all, Body.HEX, 32, false, Left.WORD_START, "key-", "dapi");
        add(all, Body.HEX, 32, false, Left.ANY, "shpat_", "shpss_", "shpca_", "shppa_");
        add(all, Body.ALNUM, 30, true, Left.WORD_START, "r8_", "lin_api_", "ntn_", "phx_", "glsa_");
        add(
                all,
                Body.WORD,
                20,
                true,
                Left.WORD_START,
                "nvapi-",
                "tvly-",
                "tskey-",
                "figd_",
                "glc_");
        add(all, Body.WORD, 20, true, Left.WORD_START, "sntrys_", "sntryu_", "PMAK-", "sq0csp-");
        add(all, Body.WORD, 24, true, Left.WORD_START, "lsv2_pt_", "lsv2_sk_", "ATATT3xFf");
        add(all, Body.CAPS, 50, false, Left.ANY, "AGE-SECRET-KEY-1");
        add(all, Body.WORD, 40, true, Left.WORD_START, "cs_");
        return all;
    }

    private static void add(
            List<Shape> all, Body body, int min, boolean random, Left left, String... prefixes) {
        for (String prefix : prefixes) {
            all.add(new Shape(prefix, body, min, random, left));
        }
    }

    private static List<List<Shape>> index(List<Shape> shapes) {
        List<List<Shape>> index = new ArrayList<>();
        for (int c = 0; c < 128; c++) {
            int first = c;
            index.add(shapes.stream().filter(s -> s.prefix().charAt(0) == first).toList());
        }
        return List.copyOf(index);
    }

    static void find(String text, Spans spans) {
        int i = 0;
        while (i < text.length()) {
            int end = endOfToken(text, i);
            if (end > i) {
                spans.add(i, end);
                i = end;
            } else {
                i++;
            }
        }
    }

    /** The end of the token that begins at {@code start}, or {@code start} when none does. */
    private static int endOfToken(String text, int start) {
        char first = text.charAt(start);
        if (first >= 128) {
            return start;
        }
        for (Shape shape : BY_FIRST_CHAR.get(first)) {
            if (text.startsWith(shape.prefix(), start) && fits(text, start, shape)) {
                return endOfRun(text, start + shape.prefix().length() + shape.min());
            }
        }
        return first == 'S' ? endOfSendGridKey(text, start) : start;
    }

    private static boolean fits(String text, int start, Shape shape) {
        char before = Text.at(text, start - 1);
        boolean leftFits =
                switch (shape.left()) {
                    case ANY -> true;
                    case WORD_START -> !Text.isAlnum(before);
                    case NO_CAPITAL -> !Text.isUpper(before);
                };
        int body = start + shape.prefix().length();
        int end = body;
        while (end < body + shape.min() + LOOK && shape.body().has(Text.at(text, end))) {
            end++;
        }
        return leftFits
                && end - body >= shape.min()
                && (!shape.random() || Text.looksRandom(text, body, end));
    }

    /** Whatever is glued to the end of a token goes with it: better too much than its tail. */
    private static int endOfRun(String text, int from) {
        int end = from;
        while (Text.isWord(Text.at(text, end))
                || Text.at(text, end) == '.' && Text.isAlnum(Text.at(text, end + 1))) {
            end++;
        }
        return end;
    }

    /** {@code SG.<id>.<secret>}. */
    private static int endOfSendGridKey(String text, int start) {
        if (!text.startsWith("SG.", start) || Text.isAlnum(Text.at(text, start - 1))) {
            return start;
        }
        int dot = start + 3;
        while (dot < start + LOOK && Text.isWord(Text.at(text, dot))) {
            dot++;
        }
        int end = dot + 1;
        while (end < dot + LOOK && Text.isWord(Text.at(text, end))) {
            end++;
        }
        boolean fits =
                dot - start >= 19
                        && Text.at(text, dot) == '.'
                        && end - dot > 16
                        && Text.looksRandom(text, start, end);
        return fits ? endOfRun(text, end) : start;
    }
}
