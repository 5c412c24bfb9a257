package io.countersign.evidence;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a document, up to a bound that one answer can show. */
final class Problems {
    private static final int KEPT = 100;

    private final List<EvidenceProblem> kept = new ArrayList<>();

    void add(String pointer, String message) {
        if (kept.size() < KEPT) kept.add(new EvidenceProblem(pointer, message));
    }

    void require(boolean holds, String pointer, String message) {
        if (!holds) add(pointer, message);
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    List<EvidenceProblem> list() {
        return List.copyOf(kept);
    }
}
