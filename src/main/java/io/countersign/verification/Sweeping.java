package io.countersign.verification;

import io.countersign.artefact.Workspaces;
import io.countersign.kernel.ServiceRoles;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import java.util.concurrent.TimeUnit;

/** Removes what killed workers of this host left on its disk, at start and now and then. */
@Component
class Sweeping {
    private final ServiceRoles roles;
    private final Workspaces workspaces;

    Sweeping(ServiceRoles roles, Workspaces workspaces) {
        this.roles = roles;
        this.workspaces = workspaces;
    }

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void sweep() {
        if (roles.worker()) workspaces.sweep();
    }
}
