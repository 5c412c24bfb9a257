package io.countersign.artefact;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

/** How archives are refused; the message always names the entry where it is about one. */
final class Refusals {
    private Refusals() {}

    static ProblemException unsafe(String entry, String predicate) {
        return new ProblemException(ProblemCode.ARCHIVE_UNSAFE, sentence(entry, predicate));
    }

    static ProblemException path(String entry, WorkspacePath.Fault fault) {
        return new ProblemException(fault.code(), sentence(entry, fault.message()));
    }

    static ProblemException duplicate(String entry) {
        return new ProblemException(
                ProblemCode.PATH_DUPLICATE, sentence(entry, "is in the archive twice"));
    }

    static ProblemException tooLarge(String message) {
        return new ProblemException(ProblemCode.ARCHIVE_TOO_LARGE, message);
    }

    static ProblemException unreadable(String message) {
        return new ProblemException(ProblemCode.ARCHIVE_UNREADABLE, message);
    }

    private static String sentence(String entry, String predicate) {
        return "the entry " + Shown.text(entry) + " " + predicate;
    }
}
