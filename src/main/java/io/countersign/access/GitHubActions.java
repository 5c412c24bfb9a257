package io.countersign.access;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.Objects;

/**
 * What has to hold of a rule for GitHub Actions. Every workflow of a repository gets tokens of this
 * issuer, those of a pull request too, and their authors are producers: a rule that does not tell
 * them apart would let a producer write the CI that vouches for it.
 */
final class GitHubActions {
    private static final String PULL = "refs/pull/";

    private GitHubActions() {}

    /** Whether tokens of the issuer are GitHub's: github.com, ghe.com, or a server of one's own. */
    static boolean isIssuer(URI issuer) {
        String host = Objects.requireNonNullElse(issuer.getHost(), "");
        String path = Objects.requireNonNullElse(issuer.getPath(), "");
        return host.startsWith("token.actions.") || path.startsWith("/_services/token");
    }

    /** Why a rule with these conditions is not safe; null when it is. */
    static @Nullable String objection(List<ClaimCondition> conditions) {
        ClaimCondition repository = find(conditions, "repository");
        ClaimCondition ref = find(conditions, "ref");
        ClaimCondition workflow = find(conditions, "job_workflow_ref");
        if (repository == null) {
            return "needs a condition on the claim repository";
        }
        if (repository.values().stream().anyMatch(value -> value.indexOf('/') < 1)) {
            return "needs a repository of the form owner/name, or owner/*";
        }
        if (ref == null && workflow == null) {
            return "needs a condition on the claim ref or job_workflow_ref: workflows of pull"
                    + " requests are written by producers";
        }
        boolean refIsOpen =
                ref != null && ref.values().stream().anyMatch(v -> ClaimCondition.reaches(v, PULL));
        if (refIsOpen) {
            return "has a ref that fits pull requests, whose workflows are written by producers";
        }
        boolean workflowIsOpen =
                workflow != null && workflow.values().stream().anyMatch(GitHubActions::isOpen);
        if (workflowIsOpen) {
            return "needs a job_workflow_ref of the form owner/name/path@ref with a ref that no"
                    + " pull request has";
        }
        return null;
    }

    private static boolean isOpen(String workflow) {
        int at = workflow.indexOf('@');
        return at < 0 || ClaimCondition.reaches(workflow.substring(at + 1), PULL);
    }

    private static @Nullable ClaimCondition find(List<ClaimCondition> conditions, String claim) {
        return conditions.stream().filter(c -> c.claim().equals(claim)).findFirst().orElse(null);
    }
}
