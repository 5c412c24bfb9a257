package io.countersign.verification;

import java.util.Collection;
import java.util.Map;

/**
 * A member of the verification JSON that a higher module contributes ({@code attestation}, {@code
 * receipt}). One query serves a whole page. Both are bound to a change-set: a verification whose
 * change-set is unknown has neither, and is not asked for.
 */
public interface VerificationMember {
    /** The member's name. */
    String name();

    /** Its JSON value for each verification that has one; the others show null. */
    Map<VerificationId, Object> values(Collection<VerificationId> ids);
}
