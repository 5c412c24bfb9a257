package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * A Definition of Done: what must hold for work to be accepted. The kind is always derived from the
 * contents, never believed from the text.
 *
 * @param source where it came from
 * @param deliverable a path that must exist, or a description for the grader; null for none
 * @param checks deterministic checks, in order
 * @param criteria free-text criteria for a grader, in order
 * @param diagnostics in line order
 */
public record Dod(
        Source source,
        @Nullable String deliverable,
        List<Check> checks,
        List<String> criteria,
        List<Diagnostic> diagnostics) {
    public Dod {
        checks = List.copyOf(checks);
        criteria = List.copyOf(criteria);
        diagnostics = List.copyOf(diagnostics);
    }

    /** What sort of judgement the DoD asks for. */
    public enum Kind {
        DETERMINISTIC,
        CHECKER,
        NONE;

        /** The kind as it stands in JSON and in the language. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How the DoD came about. */
    public enum Source {
        EXPLICIT,
        ANNOTATION,
        INFERRED,
        NONE;

        /** The source as it stands in JSON. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Derived from the contents: any check, else any criterion, else none. */
    public Kind kind() {
        if (!checks.isEmpty()) return Kind.DETERMINISTIC;
        return criteria.isEmpty() ? Kind.NONE : Kind.CHECKER;
    }
}
