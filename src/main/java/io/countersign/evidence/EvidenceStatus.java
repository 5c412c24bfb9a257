package io.countersign.evidence;

import java.util.Collection;
import java.util.Locale;

/** What evidence is worth, from best to worst. */
public enum EvidenceStatus {
    /** Assertions may rest on it. */
    COMPLETE,
    /** The host cannot observe it. */
    UNSUPPORTED,
    /** Something was lost. */
    INCOMPLETE,
    /** It contradicts itself, or the host says that it is broken. */
    INVALID;

    /** The status as it stands in JSON. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    EvidenceStatus worse(EvidenceStatus other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * What a document of these boundaries is worth: the worst of invalid and incomplete, else
     * complete where one boundary is; an unsupported boundary does not spoil a complete one.
     */
    static EvidenceStatus overall(Collection<EvidenceStatus> boundaries) {
        if (boundaries.contains(INVALID)) return INVALID;
        if (boundaries.contains(INCOMPLETE)) return INCOMPLETE;
        return boundaries.contains(COMPLETE) ? COMPLETE : UNSUPPORTED;
    }
}
