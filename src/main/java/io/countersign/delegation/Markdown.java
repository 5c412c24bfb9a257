package io.countersign.delegation;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The block structure of a Markdown text as far as plans need it (CommonMark): headings of both
 * forms, nested lists, task lists, code fences, indented code, comments, front matter, and the tags
 * of acceptance blocks. Linear in the text.
 */
final class Markdown {
    private static final Pattern TAG = Pattern.compile("(?i)\\[(/?)(acceptance|dod)\\]");
    private static final Pattern SETEXT = Pattern.compile("(=+|-+)[ \\t]*");
    private static final Pattern EDGES =
            Pattern.compile("^[\\s\\p{Z}\\p{Cf}]+|[\\s\\p{Z}\\p{Cf}]+$");
    private static final Pattern MARKER = Pattern.compile("([-+*]|\\d{1,9}[.)])([ \\t]+(.*))?");
    private static final Pattern FENCE = Pattern.compile("(`{3,})[^`]*|(~{3,}).*");

    private static final int MARKERS_ON_A_LINE = 20;

    /**
     * A heading or a list item.
     *
     * @param parent index of the task that it stands under; -1 for none
     * @param level of a heading, 1 to 6; 0 for a list item
     * @param line from 1
     * @param title without marker, as written
     */
    record Task(int parent, int level, int line, String title) {
        boolean isItem() {
            return level == 0;
        }
    }

    /**
     * A tag of an acceptance block.
     *
     * @param container index of the innermost task that the line stands in; -1 for none
     * @param tasksBefore how many tasks begin before it
     */
    record TagLine(boolean opens, int line, int container, int tasksBefore) {}

    /** What a text holds, in order. */
    record Outline(List<String> lines, List<Task> tasks, List<TagLine> tags) {}

    private record OpenItem(int task, int contentIndent) {}

    private record Fence(char mark, int length, int indent) {}

    private final List<String> lines;
    private final List<Task> tasks = new ArrayList<>();
    private final List<TagLine> tags = new ArrayList<>();
    private final List<Integer> headings = new ArrayList<>();
    private final List<OpenItem> items = new ArrayList<>();
    private @Nullable Fence fence;
    private boolean comment;
    private boolean block;
    private int paragraph = -1;
    private boolean afterBlank;

    private Markdown(List<String> lines) {
        this.lines = lines;
    }

    static Outline outline(String text) {
        Markdown markdown = new Markdown(text.lines().map(Markdown::untabbed).toList());
        for (int i = markdown.frontMatter(); i < markdown.lines.size(); i++) {
            markdown.read(i);
        }
        return new Outline(text.lines().toList(), markdown.tasks, markdown.tags);
    }

    /** How many lines of front matter there are. */
    private int frontMatter() {
        if (lines.isEmpty() || !lines.getFirst().stripTrailing().equals("---")) {
            return 0;
        }
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).stripTrailing().equals("---")) {
                return i + 1;
            }
        }
        return 0;
    }

    private void read(int index) {
        String line = lines.get(index);
        if (line.isBlank()) {
            paragraph = -1;
            afterBlank = true;
            return;
        }
        int indent = indentOf(line);
        String content = line.strip();
        if (readTag(index, indent, content) || block || continuesRaw(indent, content)) {
            afterBlank = false;
            return;
        }
        readBlock(index, indent, content);
        afterBlank = false;
    }

    /** Tags are read in fences too, as the DoD language reads them. */
    private boolean readTag(int index, int indent, String content) {
        Matcher tag = TAG.matcher(EDGES.matcher(content).replaceAll(""));
        if (comment || !tag.matches()) {
            return false;
        }
        boolean opens = tag.group(1).isEmpty();
        if (fence == null && !isLazy()) {
            closeItems(indent);
        }
        tags.add(new TagLine(opens, index + 1, innermost(), tasks.size()));
        block = opens && closesNext(index);
        paragraph = -1;
        return true;
    }

    /**
     * Whether the next tag after the line closes: half a block must not swallow the tasks below.
     */
    private boolean closesNext(int index) {
        for (int i = index + 1; i < lines.size(); i++) {
            Matcher tag = TAG.matcher(EDGES.matcher(lines.get(i)).replaceAll(""));
            if (tag.matches()) {
                return !tag.group(1).isEmpty();
            }
        }
        return false;
    }

    /** Whether the line is inside a fence or a comment, which it may end. */
    private boolean continuesRaw(int indent, String content) {
        if (comment) {
            comment = !content.contains("-->");
            return true;
        }
        Fence open = fence;
        if (open == null) {
            return false;
        }
        if (indent < open.indent()) {
            fence = null;
            return false;
        }
        boolean closes =
                content.length() >= open.length()
                        && content.chars().allMatch(c -> c == open.mark())
                        && indent - open.indent() < 4;
        fence = closes ? null : open;
        return true;
    }

    private void readBlock(int index, int indent, String content) {
        if (paragraph >= 0 && isUnderline(indent, content)) {
            addHeading(content.charAt(0) == '=' ? 1 : 2, paragraph, lines.get(paragraph).strip());
            return;
        }
        boolean starts = startsBlock(indent, content);
        if (paragraph >= 0 && !starts) {
            return;
        }
        boolean sameContainer = !closeItems(indent);
        if (indent - contentIndent() >= 4) {
            paragraph = sameContainer ? paragraph : -1;
            return;
        }
        if (!starts) {
            paragraph = index;
            return;
        }
        readStart(index, indent, content);
    }

    private boolean isUnderline(int indent, String content) {
        return SETEXT.matcher(content).matches()
                && indent >= contentIndent()
                && indent - contentIndent() < 4;
    }

    /** Whether the line begins a block that may interrupt a paragraph. */
    private boolean startsBlock(int indent, String content) {
        int relative = indent - contentIndent();
        if (relative >= 4) {
            return false;
        }
        if (headingLevel(content) > 0
                || isRule(content)
                || FENCE.matcher(content).matches()
                || content.startsWith("<!--")
                || content.startsWith(">")) {
            return true;
        }
        Matcher marker = MARKER.matcher(content);
        if (!marker.matches()) {
            return false;
        }
        boolean interrupts = paragraph >= 0 && relative >= 0;
        String number = marker.group(1).replaceAll("[.)]$", "");
        boolean bulletOrFirst =
                !Character.isDigit(number.charAt(0)) || Integer.parseInt(number) == 1;
        return !interrupts || bulletOrFirst && marker.group(3) != null;
    }

    private void readStart(int index, int indent, String content) {
        paragraph = -1;
        int level = headingLevel(content);
        if (level > 0) {
            addHeading(level, index, headingTitle(content, level));
        } else if (FENCE.matcher(content).matches()) {
            openFence(content);
        } else if (content.startsWith("<!--")) {
            comment = !content.contains("-->");
        } else if (!isRule(content) && !content.startsWith(">")) {
            addItem(index, indent, content);
        }
    }

    /** The level of an ATX heading, or 0. */
    private static int headingLevel(String content) {
        int level = 0;
        while (level < content.length() && content.charAt(level) == '#') {
            level++;
        }
        boolean ends =
                level == content.length()
                        || content.charAt(level) == ' '
                        || content.charAt(level) == '\t';
        return level <= 6 && ends ? level : 0;
    }

    /** The heading's text without the closing run of #. */
    private static String headingTitle(String content, int level) {
        String title = content.substring(level).strip();
        int end = title.length();
        while (end > 0 && title.charAt(end - 1) == '#') {
            end--;
        }
        boolean closing = end == 0 || title.charAt(end - 1) == ' ' || title.charAt(end - 1) == '\t';
        return closing ? title.substring(0, end).strip() : title;
    }

    /** A thematic break: three or more of one mark, and white space. */
    private static boolean isRule(String content) {
        char mark = content.isEmpty() ? ' ' : content.charAt(0);
        return "-*_".indexOf(mark) >= 0
                && content.chars().allMatch(c -> c == mark || c == ' ' || c == '\t')
                && content.chars().filter(c -> c == mark).count() >= 3;
    }

    private void openFence(String content) {
        int length = 0;
        while (length < content.length() && content.charAt(length) == content.charAt(0)) {
            length++;
        }
        fence = new Fence(content.charAt(0), length, contentIndent());
    }

    private void addHeading(int level, int index, String title) {
        paragraph = -1;
        int parent;
        if (items.isEmpty()) {
            while (!headings.isEmpty() && tasks.get(headings.getLast()).level() >= level) {
                headings.removeLast();
            }
            parent = headings.isEmpty() ? -1 : headings.getLast();
            headings.add(tasks.size());
        } else {
            parent = items.getLast().task();
        }
        tasks.add(new Task(parent, level, index + 1, title));
    }

    private void addItem(int index, int indent, String content) {
        int at = indent;
        String rest = content;
        // Bounded, since each further marker on a line nests one item deeper.
        for (int nested = 0; nested < MARKERS_ON_A_LINE; nested++) {
            Matcher marker = MARKER.matcher(rest);
            if (!marker.matches() || isRule(rest)) {
                break;
            }
            rest = marker.group(3) == null ? "" : marker.group(3);
            int width = marker.group(1).length();
            int gap = rest.isEmpty() ? 1 : marker.group(2).length() - rest.length();
            at += width + (gap > 4 ? 1 : gap);
            int parent = innermost();
            items.add(new OpenItem(tasks.size(), at));
            tasks.add(new Task(parent, 0, index + 1, ""));
        }
        int level = headingLevel(rest);
        Task last = tasks.removeLast();
        String title = level > 0 ? headingTitle(rest, level) : rest;
        boolean opensFence = FENCE.matcher(rest).matches();
        tasks.add(new Task(last.parent(), 0, last.line(), opensFence ? "" : title));
        if (opensFence) {
            openFence(rest);
        } else if (!rest.isEmpty() && level == 0) {
            paragraph = index;
        }
    }

    /** Leaves the items that a line with the indent is no part of; answers whether it left any. */
    private boolean closeItems(int indent) {
        boolean closed = false;
        while (!items.isEmpty() && indent < items.getLast().contentIndent()) {
            items.removeLast();
            closed = true;
        }
        return closed;
    }

    private boolean isLazy() {
        return paragraph >= 0 && !afterBlank;
    }

    private int contentIndent() {
        return items.isEmpty() ? 0 : items.getLast().contentIndent();
    }

    private int innermost() {
        if (!items.isEmpty()) {
            return items.getLast().task();
        }
        return headings.isEmpty() ? -1 : headings.getLast();
    }

    private static int indentOf(String line) {
        int indent = 0;
        while (indent < line.length() && line.charAt(indent) == ' ') {
            indent++;
        }
        return indent;
    }

    /** Leading tabs as spaces up to the next multiple of four. */
    private static String untabbed(String line) {
        StringBuilder out = new StringBuilder();
        int i = 0;
        while (i < line.length() && (line.charAt(i) == ' ' || line.charAt(i) == '\t')) {
            out.append(line.charAt(i) == ' ' ? " " : " ".repeat(4 - out.length() % 4));
            i++;
        }
        return out.append(line, i, line.length()).toString();
    }
}
