package io.countersign.verification;

import io.countersign.gate.Assurance;
import io.countersign.kernel.Caller;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Role;

import org.jspecify.annotations.Nullable;

/** What a caller's word about the producer and the DoD is worth. Pure. */
public final class Trust {
    private Trust() {}

    /**
     * The producer as far as the caller may be believed: an agent's tier and model come from its
     * registration, everybody else's word counts.
     */
    public static Producer believed(Caller caller, Producer claimed) {
        if (caller.kind() != PrincipalKind.AGENT) return claimed;
        return new Producer(
                claimed.id(), claimed.drafterId(), caller.tier(), caller.model(), claimed.error());
    }

    /**
     * Whether the DoD's author stands apart from the producer: posted by a requester that is no
     * agent, for a producer that is named and is not the caller itself.
     */
    public static Assurance author(Caller caller, Producer producer) {
        boolean independent =
                caller.has(Role.REQUESTER)
                        && named(producer.id())
                        && apart(caller, producer.id()) == Assurance.INDEPENDENT
                        && apart(caller, producer.drafterId()) == Assurance.INDEPENDENT;
        return independent ? Assurance.INDEPENDENT : Assurance.SELF;
    }

    /**
     * What it is worth that the caller had somebody's work examined: nothing more than self when
     * the caller is an agent, whomever it calls the drafter, or the drafter itself.
     */
    public static Assurance apart(Caller caller, @Nullable String drafter) {
        return caller.kind() != PrincipalKind.AGENT && !same(drafter, caller.id())
                ? Assurance.INDEPENDENT
                : Assurance.SELF;
    }

    private static boolean named(@Nullable String id) {
        return id != null && !id.isBlank();
    }

    private static boolean same(@Nullable String id, String caller) {
        return id != null && id.strip().equalsIgnoreCase(caller);
    }
}
