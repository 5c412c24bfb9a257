package io.countersign.delegation;

import io.countersign.check.CommandPolicy;
import io.countersign.check.CommandReading;
import io.countersign.delegation.DelegationRequest.Policy;
import io.countersign.delegation.DelegationRequest.Verification;
import io.countersign.dod.Check;
import io.countersign.dod.Hints;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the opener of a delegation laid down, as it is kept: attempts change nothing of it.
 *
 * @param allowedPaths globs; empty allows every path
 */
record Terms(
        String mode,
        @Nullable String acceptance,
        boolean trivial,
        @Nullable String cwd,
        Hints hints,
        List<List<String>> verification,
        List<String> allowedPaths,
        boolean acceptNoChanges,
        EscalationPolicy escalation) {
    Terms {
        verification = List.copyOf(verification);
        allowedPaths = List.copyOf(allowedPaths);
    }

    /**
     * The argument vectors of a policy.
     *
     * @throws ProblemException 422 for an empty list or one that no sandbox can take
     */
    static List<List<String>> verification(@Nullable Policy policy) {
        if (policy == null || policy.verification() == null) return List.of();
        if (policy.verification().isEmpty()) {
            throw ProblemException.invalid("/policy/verification", "names at least one command");
        }
        List<List<String>> all = new ArrayList<>();
        for (Verification verification : policy.verification()) {
            String pointer = "/policy/verification/" + all.size() + "/argv";
            List<String> argv = verification.argv();
            if (argv == null || argv.isEmpty()) {
                throw ProblemException.invalid(pointer, "names a program and its arguments");
            }
            // The policy decides at run time whether the program may run; here only the form.
            CommandReading reading = CommandPolicy.read(command(argv), List.of(argv.getFirst()));
            if (reading instanceof CommandReading.Refused refused) {
                throw ProblemException.invalid(pointer, refused.reason());
            }
            all.add(argv);
        }
        return all;
    }

    /**
     * The globs of a policy.
     *
     * @throws ProblemException 422 for an empty list or a blank glob
     */
    static List<String> allowedPaths(@Nullable Policy policy) {
        if (policy == null || policy.allowedPaths() == null) return List.of();
        if (policy.allowedPaths().isEmpty()
                || policy.allowedPaths().stream().anyMatch(String::isBlank)) {
            throw ProblemException.invalid(
                    "/policy/allowedPaths", "names at least one glob, and no blank one");
        }
        return policy.allowedPaths();
    }

    /**
     * Whether a change-set known to be empty finishes the delegation.
     *
     * @throws ProblemException 422 for another word than {@code accept}
     */
    static boolean acceptNoChanges(@Nullable Policy policy) {
        if (policy == null || policy.noChanges() == null) return false;
        if (!policy.noChanges().equals("accept")) {
            throw ProblemException.invalid("/policy/noChanges", "is accept, or absent");
        }
        return true;
    }

    /** The checks that the contract adds to the DoD's own. */
    List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        for (List<String> argv : verification) {
            checks.add(new Check.Run(command(argv), null, null, Check.CONTRACT_LINE));
        }
        if (!allowedPaths.isEmpty()) {
            checks.add(new Check.OnlyChanged(String.join(",", allowedPaths), Check.CONTRACT_LINE));
        }
        return checks;
    }

    /** The vector as the command language quotes it: it reads back to exactly the same words. */
    private static String command(List<String> argv) {
        return argv.stream()
                .map(word -> plain(word) ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private static boolean plain(String word) {
        return !word.isEmpty()
                && word.chars()
                        .allMatch(c -> Character.isLetterOrDigit(c) || "._/=:@%+-".indexOf(c) >= 0);
    }
}
