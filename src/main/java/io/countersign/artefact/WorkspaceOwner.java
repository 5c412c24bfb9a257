package io.countersign.artefact;

import java.util.OptionalInt;

/**
 * Who sandboxed commands run as. The sandbox provides a bean of this type where that is not the
 * service's own user: every file of a fresh workspace then belongs to that user, so that commands
 * can write what they could write in a checkout of their own. The directories above can be
 * traversed by everybody and listed by the service alone.
 */
public interface WorkspaceOwner {
    /** The numeric user id; empty when commands run as the service's own user. */
    OptionalInt uid();
}
