package io.countersign.local;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says where the service listens and, in local mode, how to get a first verdict. */
@Component
class StartupBanner {
    private static final Logger LOG = LoggerFactory.getLogger(StartupBanner.class);

    private final LocalProperties properties;

    StartupBanner(LocalProperties properties) {
        this.properties = properties;
    }

    @EventListener
    void onReady(ApplicationReadyEvent event) {
        Environment environment = event.getApplicationContext().getEnvironment();
        String port = environment.getProperty("local.server.port");
        if (port != null) {
            String host = environment.getProperty("server.address", "127.0.0.1");
            LOG.info(text("http://" + host + ":" + port));
        }
    }

    String text(String address) {
        if (!properties.active()) {
            return "Countersign listens on " + address;
        }
        return """
        Countersign listens on %s (local mode, development keys, loopback only).
        A first verdict, to paste into a shell:

        %s
        """
                .formatted(address, firstVerdict(address));
    }

    /** One command that posts a Definition of Done with the work and prints the verdict. */
    static String firstVerdict(String address) {
        return """
        curl -s %s/v1/verifications \\
          -H 'Authorization: Bearer dev-orchestrator' \\
          -H 'Content-Type: application/json' \\
          -H 'Prefer: wait=30' \\
          -d '{"project": "demo",
               "acceptance": "[acceptance]\\ncheck: fileExists path=hello.txt\\n[/acceptance]",
               "producer": {"id": "my-agent"},
               "artefact": {"finalReturnText": "Done.",
                            "changedFiles": [{"path": "hello.txt", "status": "added"}]},
               "workspace": {"files": {"hello.txt": "Hello, world"}}}'
        """
                .formatted(address)
                .strip();
    }
}
