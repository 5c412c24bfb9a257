package io.countersign.artefact;

import java.io.IOException;

/** An archive that cannot be read, with a reason of our own that may be shown to its sender. */
final class BrokenArchiveException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenArchiveException(String reason) {
        super(reason);
    }
}
