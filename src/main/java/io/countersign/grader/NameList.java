package io.countersign.grader;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Names of files within a budget. Too many are folded into their directories, deepest first, so
 * that the list says less about each but leaves none out.
 *
 * @param lines a path, or a directory with the number of files in it
 * @param folded whether any path stands for others
 */
record NameList(List<String> lines, boolean folded) {
    private static final int DEEPEST = 8;
    private static final int MAX_LINES = 2_000;

    NameList {
        lines = List.copyOf(lines);
    }

    static NameList of(List<String> paths, int maxBytes) {
        if (fits(paths, maxBytes)) return new NameList(paths, false);
        for (int depth = DEEPEST; depth > 0; depth--) {
            List<String> lines = folded(paths, depth);
            if (fits(lines, maxBytes)) return new NameList(lines, true);
        }
        return new NameList(List.of(paths.size() + " files"), true);
    }

    private static boolean fits(List<String> lines, int maxBytes) {
        if (lines.size() > MAX_LINES) return false;
        long bytes = 0;
        for (String line : lines) bytes += ShownText.bytes(line) + 1;
        return bytes <= maxBytes;
    }

    private static List<String> folded(List<String> paths, int depth) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (String path : paths) counts.merge(upTo(path, depth), 1, Integer::sum);
        List<String> lines = new ArrayList<>();
        counts.forEach(
                (name, count) -> lines.add(name.endsWith("/") ? name + " (" + count + ")" : name));
        return lines;
    }

    /** The path itself, or the directory of so many segments that holds it. */
    private static String upTo(String path, int depth) {
        int end = -1;
        for (int i = 0; i < depth; i++) {
            end = path.indexOf('/', end + 1);
            if (end < 0) return path;
        }
        return path.substring(0, end + 1);
    }
}
