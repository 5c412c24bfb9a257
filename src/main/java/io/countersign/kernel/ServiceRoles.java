package io.countersign.kernel;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.Set;

/**
 * What this process does. It answers HTTP in either role: a worker too serves health and metrics,
 * and the API to whoever reaches it.
 *
 * @param roles {@code api} answers requests, {@code worker} runs verifications; both by default
 */
@ConfigurationProperties("countersign")
public record ServiceRoles(@DefaultValue({"api", "worker"}) Set<Role> roles) {
    public enum Role {
        API,
        WORKER
    }

    public ServiceRoles {
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("countersign.roles names api, worker or both");
        }
        roles = Set.copyOf(roles);
    }

    public boolean worker() {
        return roles.contains(Role.WORKER);
    }
}
