package io.countersign.delegation;

import io.countersign.delegation.Markdown.TagLine;
import io.countersign.delegation.Markdown.Task;
import io.countersign.dod.Diagnostic;
import io.countersign.dod.Dod;
import io.countersign.dod.DodParser;
import io.countersign.dod.ParsedBlock;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lints a plan (Mode B, strict): each task has an acceptance block of its own, stands under a task
 * that has one, only groups tasks, or is marked {@code [trivial]}; anything else is an authoring
 * error. Pure.
 *
 * <p>A block belongs to the list item or heading in which it stands. One that stands under a list
 * without being indented belongs to the item before it when more items follow in the section or
 * when that list's items have blocks of their own; else it belongs to the section.
 */
final class PlanLinter {
    static final int MAX_CHARS = 256 * 1024;
    static final int MAX_TASKS = 2_000;

    private static final Pattern TRIVIAL = Pattern.compile("(?i)\\[trivial\\]");
    private static final Pattern BOX = Pattern.compile("\\[([ xX])\\](?:\\s+(.*))?");

    /** A complete block, or a tag without its partner. */
    private record Block(TagLine first, int lastLine) {}

    private final Markdown.Outline outline;
    private final Map<Integer, List<Block>> blocks = new HashMap<>();
    private final List<PlanTask> found = new ArrayList<>();

    private PlanLinter(Markdown.Outline outline) {
        this.outline = outline;
    }

    /**
     * Every task of the plan, in its order.
     *
     * @throws ProblemException 422 for a plan over 256 Ki characters or 2,000 tasks
     */
    static List<PlanTask> lint(String markdown) {
        if (markdown.length() > MAX_CHARS) {
            throw ProblemException.invalid("/markdown", "a plan is at most 256 Ki characters");
        }
        Markdown.Outline outline = Markdown.outline(markdown);
        if (outline.tasks().size() > MAX_TASKS) {
            throw ProblemException.invalid("/markdown", "a plan has at most 2,000 tasks");
        }
        PlanLinter linter = new PlanLinter(outline);
        linter.assignBlocks();
        for (int i = 0; i < outline.tasks().size(); i++) {
            linter.found.add(linter.task(i));
        }
        return List.copyOf(linter.found);
    }

    private void assignBlocks() {
        List<TagLine> tags = outline.tags();
        int i = 0;
        while (i < tags.size()) {
            TagLine tag = tags.get(i);
            boolean complete = tag.opens() && i + 1 < tags.size() && !tags.get(i + 1).opens();
            int lastLine = complete ? tags.get(i + 1).line() : tag.line();
            blocks.computeIfAbsent(ownerOf(tag), k -> new ArrayList<>())
                    .add(new Block(tag, lastLine));
            i += complete ? 2 : 1;
        }
    }

    private int ownerOf(TagLine tag) {
        int container = tag.container();
        boolean inItem = container >= 0 && outline.tasks().get(container).isItem();
        int before = itemBefore(tag, container);
        if (inItem || before < 0) {
            return container;
        }
        int next = tag.tasksBefore();
        boolean itemsFollow =
                next < outline.tasks().size()
                        && outline.tasks().get(next).isItem()
                        && outline.tasks().get(next).parent() == container;
        boolean siblingsOwnBlocks =
                blocks.keySet().stream()
                        .anyMatch(k -> k >= 0 && k != container && isSibling(k, before));
        return itemsFollow || siblingsOwnBlocks || container < 0 ? before : container;
    }

    private boolean isSibling(int task, int other) {
        Task a = outline.tasks().get(task);
        Task b = outline.tasks().get(other);
        return a.isItem() && b.isItem() && a.parent() == b.parent();
    }

    /** The outermost list item of the container that begins last before the tag, or -1. */
    private int itemBefore(TagLine tag, int container) {
        for (int i = tag.tasksBefore() - 1; i > container; i--) {
            Task task = outline.tasks().get(i);
            if (task.isItem() && task.parent() == container) {
                return i;
            }
        }
        return -1;
    }

    private PlanTask task(int index) {
        Task task = outline.tasks().get(index);
        Matcher box = BOX.matcher(task.title());
        boolean boxed = task.isItem() && box.matches();
        String text = boxed ? Optional.ofNullable(box.group(2)).orElse("") : task.title();
        String title = TRIVIAL.matcher(text).replaceAll("").replaceAll("\\s+", " ").strip();
        Boolean done = boxed ? !box.group(1).equals(" ") : null;
        int depth = task.parent() < 0 ? 0 : found.get(task.parent()).depth() + 1;
        return new PlanTask(task.line(), depth, task.level(), title, done, finding(index, text));
    }

    private PlanTask.Finding finding(int index, String text) {
        List<Block> own = blocks.getOrDefault(index, List.of());
        if (!own.isEmpty()) {
            return defined(own);
        }
        if (TRIVIAL.matcher(text).find()) {
            return new PlanTask.Trivial();
        }
        Integer by = coveredBy(index);
        if (by != null) {
            return new PlanTask.Covered(by);
        }
        boolean groups =
                index + 1 < outline.tasks().size()
                        && outline.tasks().get(index + 1).parent() == index;
        return groups
                ? new PlanTask.Group()
                : new PlanTask.Faulty(
                        null,
                        "the plan task has no acceptance block (strict): add [acceptance] ..."
                                + " [/acceptance], or mark it [trivial]");
    }

    private @Nullable Integer coveredBy(int index) {
        int parent = outline.tasks().get(index).parent();
        if (parent < 0) {
            return null;
        }
        PlanTask above = found.get(parent);
        return switch (above.finding()) {
            case PlanTask.Defined _, PlanTask.Trivial _ -> above.line();
            case PlanTask.Covered covered -> covered.by();
            case PlanTask.Faulty faulty -> blocks.containsKey(parent) ? above.line() : null;
            case PlanTask.Group _ -> null;
        };
    }

    private PlanTask.Finding defined(List<Block> own) {
        ParsedBlock parsed;
        try {
            parsed = DodParser.parse(textOf(own), Dod.Source.ANNOTATION);
        } catch (ProblemException e) {
            if (e.code() != ProblemCode.DOD_LIMIT) {
                throw e;
            }
            return new PlanTask.Faulty(null, e.detail());
        }
        Dod dod = parsed.dod();
        if (dod == null) {
            return new PlanTask.Faulty(null, parsed.loneTagReason() + "");
        }
        if (dod.kind() == Dod.Kind.NONE) {
            return new PlanTask.Faulty(dod, "its acceptance block has nothing to check");
        }
        return dod.diagnostics().stream()
                .filter(d -> d.severity() == Diagnostic.Severity.ERROR)
                .findFirst()
                .<PlanTask.Finding>map(d -> new PlanTask.Faulty(dod, d.message()))
                .orElseGet(() -> new PlanTask.Defined(dod));
    }

    /** The blocks on their own lines of the plan, so that diagnostics name those. */
    private String textOf(List<Block> own) {
        StringBuilder text = new StringBuilder();
        int line = 1;
        for (Block block : own) {
            for (; line < block.first().line(); line++) {
                text.append('\n');
            }
            for (; line <= block.lastLine(); line++) {
                text.append(outline.lines().get(line - 1)).append('\n');
            }
        }
        return text.toString();
    }
}
