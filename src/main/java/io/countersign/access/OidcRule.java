package io.countersign.access;

import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Role;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which tokens of an issuer are accepted, and as whom. Several rules may name one issuer.
 *
 * @param name letters, digits and dashes; the principal's id is {@code <name>:<principal claim>}
 * @param issuer the {@code iss} claim; its JWKS is found by OpenID discovery
 * @param jwksUri where the JWKS is, for an issuer without discovery
 * @param audience a value that {@code aud} must have
 * @param githubActions whether the rules for GitHub Actions hold; known by the issuer's address
 * @param claims conditions that all must hold
 * @param principalClaim the claim that names the principal: {@code sub}, or {@code repository} for
 *     GitHub Actions
 * @param anchorClaim the claim that is the anchor id: none, or {@code run_id} for GitHub Actions
 * @param kind what sort of principal it is: {@code service}, or {@code ci} for GitHub Actions
 * @param roles what it may do
 * @param anchorKinds outside anchor kinds that it may attest
 * @param projects the projects that it reaches; {@code *} reaches all
 * @param projectClaim the claim that names one more project: none, or, where {@code projects} is
 *     empty, {@code repository} for GitHub Actions
 */
record OidcRule(
        String name,
        URI issuer,
        @Nullable URI jwksUri,
        String audience,
        @Nullable Boolean githubActions,
        @DefaultValue List<ClaimCondition> claims,
        @Nullable String principalClaim,
        @Nullable String anchorClaim,
        @Nullable PrincipalKind kind,
        @DefaultValue Set<Role> roles,
        @DefaultValue Set<String> anchorKinds,
        @DefaultValue Set<String> projects,
        @Nullable String projectClaim) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

    OidcRule {
        check(name != null && NAME.matcher(name).matches(), name, "needs a name of a-z, 0-9 and -");
        check(issuer != null && isSafe(issuer), name, "needs an issuer with https (or loopback)");
        check(
                jwksUri == null || isSafe(jwksUri),
                name,
                "needs a jwks-uri with https (or loopback)");
        check(audience != null && !audience.isBlank(), name, "needs an audience");
        check(!roles.isEmpty(), name, "needs roles");
        check(
                AnchorKind.GRANTABLE.containsAll(anchorKinds),
                name,
                "has an anchor kind that does not exist");
        boolean github = Boolean.TRUE.equals(githubActions) || GitHubActions.isIssuer(issuer);
        githubActions = github;
        claims = List.copyOf(claims);
        roles = Set.copyOf(roles);
        anchorKinds = Set.copyOf(anchorKinds);
        projects = Set.copyOf(projects);
        principalClaim = orElse(principalClaim, github ? "repository" : "sub");
        anchorClaim = anchorClaim == null && github ? "run_id" : anchorClaim;
        kind = orElse(kind, github ? PrincipalKind.CI : PrincipalKind.SERVICE);
        if (projectClaim == null && projects.isEmpty() && github) {
            projectClaim = "repository";
        }
        check(projectClaim != null || !projects.isEmpty(), name, "needs projects or project-claim");
        projects.stream().filter(p -> !p.equals("*")).forEach(ProjectId::new);
        String objection = github ? GitHubActions.objection(claims) : null;
        check(objection == null, name, objection);
    }

    String nameClaim() {
        return Objects.requireNonNull(principalClaim);
    }

    PrincipalKind principalKind() {
        return Objects.requireNonNull(kind);
    }

    /** Keys that come over a plain connection could be anybody's. */
    private static boolean isSafe(URI address) {
        return "https".equals(address.getScheme())
                || ("http".equals(address.getScheme()) && isLoopback(address.getHost()));
    }

    private static boolean isLoopback(@Nullable String host) {
        if (host == null) {
            return false;
        }
        return host.equals("localhost") || DevelopmentKeys.isLoopback(host);
    }

    private static <T> T orElse(@Nullable T value, T other) {
        return value == null ? other : value;
    }

    private static void check(boolean holds, @Nullable String name, @Nullable String message) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "countersign.access.oidc: the rule '" + name + "' " + message);
        }
    }
}
