package io.countersign.verification;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.Set;

/**
 * What this process does.
 *
 * @param roles {@code api} answers requests, {@code worker} runs verifications; both by default
 */
@ConfigurationProperties("countersign")
record ServiceRoles(@DefaultValue({"api", "worker"}) Set<Role> roles) {
    enum Role {
        API,
        WORKER
    }

    ServiceRoles {
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("countersign.roles names api, worker or both");
        }
        roles = Set.copyOf(roles);
    }

    boolean worker() {
        return roles.contains(Role.WORKER);
    }
}
