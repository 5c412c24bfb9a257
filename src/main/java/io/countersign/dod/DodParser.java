package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds and reads the block of a text (see {@code docs/dod-language.md}). Time and memory grow
 * linearly with the text.
 */
public final class DodParser {
    private DodParser() {}

    /**
     * Reads the first complete block of a text.
     *
     * @param text what the requester wrote, at most 256 KiB of UTF-8
     * @param source {@code EXPLICIT} or {@code ANNOTATION}
     * @throws io.countersign.kernel.ProblemException 422 {@code dod-limit}, with the fact {@code
     *     limit} that names the limit: {@code text-bytes}, {@code value-bytes}, {@code checks} or
     *     {@code criteria}
     */
    public static ParsedBlock parse(String text, Dod.Source source) {
        Limits.text(text);
        List<Line> lines = Line.split(text);
        List<Tag> tags = tags(lines);
        Diagnostics diagnostics = new Diagnostics();
        int open = firstOpen(tags);
        int close = open < 0 ? -1 : firstClose(tags, open);
        if (close < 0) {
            tags.forEach(tag -> lone(diagnostics, tag));
            return new ParsedBlock(
                    null, diagnostics.list(), tags.isEmpty() ? null : tags.getFirst().loneReason());
        }
        tags.subList(0, open).forEach(tag -> lone(diagnostics, tag));
        Dod dod = read(lines, tags.get(open), tags.get(close), source, diagnostics);
        further(tags.subList(close + 1, tags.size()), diagnostics);
        Dod complete =
                new Dod(
                        dod.source(),
                        dod.deliverable(),
                        dod.checks(),
                        dod.criteria(),
                        diagnostics.list());
        return new ParsedBlock(complete, complete.diagnostics(), null);
    }

    private static List<Tag> tags(List<Line> lines) {
        List<Tag> tags = new ArrayList<>();
        for (Line line : lines) {
            @Nullable Tag tag = Tag.read(line);
            if (tag != null) tags.add(tag);
        }
        return tags;
    }

    private static int firstOpen(List<Tag> tags) {
        for (int i = 0; i < tags.size(); i++) {
            if (tags.get(i).opens()) return i;
        }
        return -1;
    }

    private static int firstClose(List<Tag> tags, int from) {
        for (int i = from; i < tags.size(); i++) {
            if (!tags.get(i).opens()) return i;
        }
        return -1;
    }

    private static Dod read(
            List<Line> lines, Tag open, Tag close, Dod.Source source, Diagnostics diagnostics) {
        BlockReader reader = new BlockReader(diagnostics);
        lines.subList(open.line().number(), close.line().number() - 1).forEach(reader::read);
        if (!open.name().equals(close.name())) {
            diagnostics.warning(
                    close.line(),
                    close.line().start(),
                    "mismatched-tags",
                    open.spelling()
                            + " is closed by "
                            + close.spelling()
                            + " (line "
                            + close.line().number()
                            + "), write "
                            + open.partner());
        }
        return reader.dod(source);
    }

    private static void further(List<Tag> tags, Diagnostics diagnostics) {
        @Nullable Tag open = null;
        List<Tag> inside = new ArrayList<>();
        for (Tag tag : tags) {
            if (open == null && tag.opens()) {
                open = tag;
            } else if (tag.opens()) {
                inside.add(tag);
            } else if (open == null) {
                lone(diagnostics, tag);
            } else {
                ignored(diagnostics, open);
                open = null;
                inside.clear();
            }
        }
        if (open != null) lone(diagnostics, open);
        inside.forEach(tag -> lone(diagnostics, tag));
    }

    private static void ignored(Diagnostics diagnostics, Tag open) {
        diagnostics.warning(
                open.line(),
                open.line().start(),
                "second-block",
                "a further block is ignored (line "
                        + open.line().number()
                        + "), only the first one counts");
    }

    private static void lone(Diagnostics diagnostics, Tag tag) {
        diagnostics.warning(
                tag.line(),
                tag.line().start(),
                "lone-tag",
                tag.loneReason() + ", write " + tag.partner() + " too");
    }
}
