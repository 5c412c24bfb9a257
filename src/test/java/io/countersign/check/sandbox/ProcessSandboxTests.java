package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The contract without isolation, by the best means of this host. */
class ProcessSandboxTests extends SandboxContract {
    @Override
    SandboxProbe.Result open(SandboxProperties properties) {
        return SandboxProbe.ofThisHost().process(properties);
    }

    @Test
    void saysThatItDoesNotIsolate() {
        assertThat(sandbox.isolation()).isEqualTo("none");
    }
}
