package io.countersign.grader;

import java.util.List;

/** Shares a budget among texts of different sizes so that only the largest are cut. */
final class Shares {
    private Shares() {}

    /** The most that each may take; no text within it is cut. */
    static long cap(List<Long> sizes, long budget) {
        List<Long> ascending = sizes.stream().sorted().toList();
        long left = Math.max(budget, 0);
        for (int i = 0; i < ascending.size(); i++) {
            long fair = left / (ascending.size() - i);
            if (ascending.get(i) > fair) return fair;
            left -= ascending.get(i);
        }
        return Long.MAX_VALUE;
    }
}
