package io.countersign.access;

import io.countersign.kernel.Role;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.util.List;

/**
 * How callers are known.
 *
 * @param bootstrapKey the administrator's first key, of at least 32 characters; needed in server
 *     mode until there is an administrator of all projects (with a usable key, or by an OIDC rule),
 *     then ignored
 * @param oidc rules by which tokens of other issuers are accepted, the first that fits counts
 */
@ConfigurationProperties("countersign.access")
record AccessProperties(@Nullable String bootstrapKey, @Nullable List<OidcRule> oidc) {
    private static final int SHORTEST = 32;

    AccessProperties {
        if (bootstrapKey != null && bootstrapKey.isBlank()) {
            bootstrapKey = null;
        }
        if (bootstrapKey != null && bootstrapKey.length() < SHORTEST) {
            throw new IllegalArgumentException(
                    "countersign.access.bootstrap-key must have at least 32 characters");
        }
        oidc = oidc == null ? List.of() : List.copyOf(oidc);
        if (oidc.stream().map(OidcRule::name).distinct().count() != oidc.size()) {
            throw new IllegalArgumentException(
                    "countersign.access.oidc: two rules have the same name");
        }
    }

    /** The rules, none when there are none. */
    List<OidcRule> rules() {
        return oidc == null ? List.of() : oidc;
    }

    /** Whether somebody can administer all projects without a key of this service. */
    boolean hasOidcAdministrator() {
        return rules().stream()
                .anyMatch(
                        rule -> rule.roles().contains(Role.ADMIN) && rule.projects().contains("*"));
    }
}
