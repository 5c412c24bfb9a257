package io.countersign.artefact;

import io.countersign.artefact.ArchiveRules.Node;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Follows symlinks through the paths of an archive, as the kernel would after unpacking, and
 * refuses those that lead outside, also by way of others. What does not exist counts as a
 * directory: it may come to exist.
 */
final class LinkCheck {
    private static final int MAX_LINKS = 40;

    private static final Pattern DRIVE = Pattern.compile("^[A-Za-z]:[/\\\\]");

    /** Steps for all links together: links that lead through links multiply. */
    private static final long MAX_STEPS = 5_000_000;

    private final Map<String, Node> nodes;
    private long steps;

    LinkCheck(Map<String, Node> nodes) {
        this.nodes = nodes;
    }

    void follow(String link, String target) {
        Deque<String> at = new ArrayDeque<>(Arrays.asList(link.split("/")));
        at.removeLast();
        Deque<String> rest = new ArrayDeque<>();
        push(rest, link, target);
        int links = 1;
        while (!rest.isEmpty()) {
            if (++steps > MAX_STEPS) {
                throw Refusals.tooLarge("its symlinks lead through one another too often");
            }
            String name = rest.pop();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                if (at.pollLast() == null) {
                    throw outside(link, target);
                }
                continue;
            }
            at.addLast(name);
            if (nodes.get(String.join("/", at)) instanceof Node.Link next) {
                if (++links > MAX_LINKS) {
                    return; // the kernel says ELOOP: it leads nowhere
                }
                at.removeLast();
                push(rest, link, next.target());
            }
        }
    }

    private static void push(Deque<String> rest, String link, String target) {
        if (target.startsWith("/") || DRIVE.matcher(target).find()) {
            throw outside(link, target);
        }
        Arrays.asList(target.split("/")).reversed().forEach(rest::push);
    }

    private static RuntimeException outside(String link, String target) {
        return Refusals.unsafe(
                link,
                "is a symlink that leads outside the workspace (to " + Shown.text(target) + ")");
    }
}
