package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads the lines between two tags, in order. */
final class BlockReader {
    private static final String BULLETS = "-*+•";

    /** Characters that are taken for a colon, or typed in its place. */
    private static final String NOT_QUITE_COLONS = "=;,.\uFF1A\uFE55\uFE13\u2236\uA789\u02D0\u05C3";

    private record DeclaredKind(Line line, int at, String word) {}

    private final Diagnostics diagnostics;
    private final List<Check> checks = new ArrayList<>();
    private final List<String> criteria = new ArrayList<>();
    private final List<DeclaredKind> kinds = new ArrayList<>();
    private @Nullable String deliverable;

    BlockReader(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /** What was read; call it once, after the last line. The diagnostics are not in it. */
    Dod dod(Dod.Source source) {
        Dod dod = new Dod(source, deliverable, checks, criteria, List.of());
        for (DeclaredKind kind : kinds) {
            if (kind.word().toLowerCase(Locale.ROOT).equals(dod.kind().wire())) continue;
            diagnostics.warning(
                    kind.line(),
                    kind.at(),
                    "kind-mismatch",
                    "the kind "
                            + Text.quote(kind.word())
                            + at(kind.line())
                            + " is not believed, the contents make it "
                            + dod.kind().wire());
        }
        return dod;
    }

    void read(Line line) {
        if (line.isBlank()) return;
        @Nullable Tag tag = Tag.read(line);
        if (tag != null) {
            diagnostics.warning(
                    line,
                    line.start(),
                    "nested-tag",
                    tag.spelling() + " inside a block is ignored" + at(line));
            return;
        }
        int nameAt = skipListMarkers(line);
        int nameEnd = nameEnd(line, nameAt);
        int colon = line.skipSpaces(nameEnd);
        boolean hasColon = colon < line.end() && line.text().charAt(colon) == ':';
        String name = line.text().substring(nameAt, nameEnd);
        if (!hasColon || !directive(line, name.toLowerCase(Locale.ROOT), nameAt, colon + 1)) {
            noDirective(line, nameAt, name);
        }
    }

    private boolean directive(Line line, String name, int nameAt, int valueAt) {
        boolean known =
                switch (name) {
                    case "check", "criteria", "deliverable", "kind" -> true;
                    default -> false;
                };
        if (!known) return false;
        if (nameAt > line.start()) {
            diagnostics.warning(
                    line,
                    line.start(),
                    "list-marker",
                    "the list marker before " + name + " is not needed" + at(line));
        }
        switch (name) {
            case "check" -> add(CheckReader.read(line, valueAt, diagnostics));
            case "criteria" -> readCriteria(line, valueAt);
            case "deliverable" -> readDeliverable(line, valueAt);
            default -> kinds.add(new DeclaredKind(line, nameAt, value(line, valueAt)));
        }
        return true;
    }

    private void add(Check check) {
        checks.add(check);
        Limits.checks(checks.size());
    }

    private void readCriteria(Line line, int valueAt) {
        String value = value(line, valueAt);
        if (Text.isBlank(value)) {
            diagnostics.warning(
                    line, valueAt, "empty-criteria", "empty criteria are ignored" + at(line));
        } else if (isStorable(line, "criteria", value, valueAt)) {
            criteria.add(value);
            Limits.criteria(criteria.size());
        }
    }

    private void readDeliverable(Line line, int valueAt) {
        String value = value(line, valueAt);
        if (Text.isBlank(value)) {
            deliverable = null;
        } else if (isStorable(line, "deliverable", value, valueAt)) {
            deliverable = value;
        }
    }

    private boolean isStorable(Line line, String name, String value, int valueAt) {
        Limits.value(value, line.number());
        if (!Text.isUnstorable(value)) return true;
        fail(
                line,
                valueAt,
                "invalid-character",
                "the " + name + " holds NUL or half a surrogate pair" + at(line));
        return false;
    }

    private void noDirective(Line line, int nameAt, String name) {
        @Nullable String meant = Misspelling.directive(name);
        if (meant == null) meant = Misspelling.directive(letters(name));
        if (meant != null) {
            fail(
                    line,
                    nameAt,
                    "misspelt-directive",
                    "misspelt directive "
                            + Text.quote(name)
                            + at(line)
                            + ", did you mean \""
                            + meant
                            + ":\"?");
            return;
        }
        diagnostics.warning(
                line,
                line.start(),
                "unknown-directive",
                "the line starts with no directive and is ignored" + at(line));
    }

    /** Keeps a line that cannot be read as a check that always fails. */
    private void fail(Line line, int index, String code, String message) {
        diagnostics.error(line, index, code, message);
        add(new Check.Malformed(code, message, line.number()));
    }

    /** The word before a character that was meant as the colon; empty when there is none. */
    private static String letters(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (NOT_QUITE_COLONS.indexOf(name.charAt(i)) >= 0) return name.substring(0, i);
        }
        return "";
    }

    private static String value(Line line, int valueAt) {
        return Text.strip(line.text().substring(valueAt, Math.max(valueAt, line.end())));
    }

    private static int nameEnd(Line line, int from) {
        int i = from;
        while (i < line.end() && line.text().charAt(i) != ':') {
            if (Text.isSpace(line.text().charAt(i))) break;
            i++;
        }
        return i;
    }

    private static int skipListMarkers(Line line) {
        int at = line.start();
        while (true) {
            int next = skipListMarker(line, at);
            if (next == at) return at;
            at = next;
        }
    }

    /** Moves past {@code - }, {@code 1. } or a task's {@code [ ] }, or stays. */
    private static int skipListMarker(Line line, int from) {
        String text = line.text();
        int i = from;
        if (BULLETS.indexOf(text.charAt(i)) >= 0) {
            i++;
        } else if (text.startsWith("[ ]", i) || text.regionMatches(true, i, "[x]", 0, 3)) {
            i += 3;
        } else {
            while (i < line.end() && text.charAt(i) >= '0' && text.charAt(i) <= '9') i++;
            if (i == from || i == line.end() || ".)".indexOf(text.charAt(i)) < 0) return from;
            i++;
        }
        int next = line.skipSpaces(i);
        return next > i && next < line.end() ? next : from;
    }

    private static String at(Line line) {
        return " (line " + line.number() + ")";
    }
}
