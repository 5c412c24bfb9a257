package io.countersign.check.sandbox;

import java.util.Optional;

/** The contract where the service may not make control groups, as in most containers. */
class BubblewrapWithoutControlGroupsTests extends SandboxContract {
    @Override
    SandboxProbe.Result open(SandboxProperties properties) {
        SandboxProbe.Result result = SandboxProbe.ofThisHost().bubblewrap(properties);
        if (!(result instanceof SandboxProbe.Works(Sandbox probed, String how))) return result;
        ((LocalSandbox) probed).close();
        return variant(
                new BubblewrapSandbox(Host.detect(properties), Optional.empty(), properties), how);
    }
}
