package io.countersign.verification;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.PreparedWorkspace;

/**
 * What the checks lane hands to the waiting one, beside the stored check results.
 *
 * @param usedMs how much of the gate's budget the checks took
 * @param frozen the hashes of the workspace that was checked. A mount is read again for grading:
 *     what is graded, hashed and signed must be what was checked
 */
record Stage(long usedMs, String frozen) {
    /** Tree hash and change-set hash in one word; equal only for equal files. */
    static String frozen(PreparedWorkspace files) {
        String changes =
                files.changeSet() instanceof ChangeSet.Known known ? known.sha256().hex() : "-";
        return files.treeSha256() + " " + changes;
    }
}
