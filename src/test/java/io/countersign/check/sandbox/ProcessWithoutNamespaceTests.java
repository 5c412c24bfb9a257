package io.countersign.check.sandbox;

import java.util.Optional;

/** The contract by the last means: no isolation, no namespace, no control groups. */
class ProcessWithoutNamespaceTests extends SandboxContract {
    @Override
    SandboxProbe.Result open(SandboxProperties properties) {
        Host host = Host.detect(properties);
        if (host.objection().isPresent()) return new SandboxProbe.Fails(host.objection().get());
        return variant(new ProcessSandbox(host, Optional.empty(), properties, false), "marks");
    }
}
