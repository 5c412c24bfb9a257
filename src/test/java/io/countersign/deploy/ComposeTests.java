package io.countersign.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What docker-compose.yml promises; {@code .ci/image} brings it up. */
class ComposeTests {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern SETTING = Pattern.compile("`(countersign\\.[a-z.-]+)`");

    private static JsonNode yaml(String file) throws IOException {
        return JSON.valueToTree(new Yaml().load(Files.readString(Path.of(file))));
    }

    private static JsonNode service(String name) throws IOException {
        JsonNode service = yaml("docker-compose.yml").path("services").path(name);
        assertThat(service.isObject()).as(name).isTrue();
        return service;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asString()));
        return texts;
    }

    @Test
    void apiAndWorkerAreOneImageThatCannotChangeItselfOrGainRights() throws IOException {
        assertThat(service("api").path("image").asString())
                .isEqualTo("${COUNTERSIGN_IMAGE:-countersign:latest}");
        assertThat(service("worker").path("image").asString())
                .as("one that up --build does not overwrite")
                .isEqualTo("${COUNTERSIGN_WORKER_IMAGE:-countersign:latest}");
        assertThat(service("worker").has("build")).isFalse();
        for (String name : List.of("api", "worker")) {
            JsonNode service = service(name);
            assertThat(service.path("read_only").booleanValue()).isTrue();
            assertThat(texts(service.path("cap_drop"))).containsExactly("ALL");
            assertThat(texts(service.path("security_opt"))).contains("no-new-privileges:true");
            assertThat(service.has("privileged")).isFalse();
            assertThat(service.has("cap_add")).isFalse();
        }
    }

    @Test
    void onlyTheWorkerHasLessThanDockersOwnConfinement() throws IOException {
        assertThat(texts(service("api").path("security_opt"))).hasSize(1);
        assertThat(texts(service("worker").path("security_opt")))
                .contains("seccomp:./docker/seccomp.json", "systempaths=unconfined");
    }

    @Test
    void theSystemCallFilterLeavesBubblewrapWhatItIsMadeOf() throws IOException {
        JsonNode filter = JSON.readTree(Files.readString(Path.of("docker/seccomp.json")));
        assertThat(filter.path("defaultAction").asString()).isEqualTo("SCMP_ACT_ALLOW");
        JsonNode rule = filter.path("syscalls").path(0);
        assertThat(rule.path("action").asString()).isEqualTo("SCMP_ACT_ERRNO");
        assertThat(texts(rule.path("names")))
                .contains("bpf", "init_module", "kexec_load", "keyctl", "open_by_handle_at")
                .doesNotContain("clone", "clone3", "unshare", "setns", "mount", "umount2")
                .doesNotContain("pivot_root", "prctl", "mknod", "sethostname")
                .doesNotHaveDuplicates();
    }

    @Test
    void everySettingOfTheServiceThatItGivesExists() throws IOException {
        List<String> known = new ArrayList<>();
        Matcher settings = SETTING.matcher(Files.readString(Path.of("docs/configuration.md")));
        while (settings.find()) {
            String name = settings.group(1).replace("-", "").replace('.', '_');
            known.add(name.toUpperCase(Locale.ROOT));
        }
        for (String name : List.of("api", "worker")) {
            List<String> given =
                    service(name).path("environment").propertyNames().stream()
                            .filter(variable -> variable.startsWith("COUNTERSIGN_"))
                            .toList();
            assertThat(given).isNotEmpty().isSubsetOf(known);
        }
    }

    @Test
    void eachWaitsUntilWhatItNeedsIsHealthy() throws IOException {
        assertThat(condition("api", "postgres")).isEqualTo("service_healthy");
        assertThat(condition("worker", "api")).isEqualTo("service_healthy");
        assertThat(condition("prometheus", "api")).isEqualTo("service_healthy");
        assertThat(service("postgres").has("healthcheck")).isTrue();
        assertThat(Files.readString(Path.of("Dockerfile"))).contains("HEALTHCHECK");
    }

    private static String condition(String name, String needs) throws IOException {
        return service(name).path("depends_on").path(needs).path("condition").asString();
    }

    /**
     * The runbook counts on it: a JVM goes on without a heap, and nobody restarts the container.
     */
    @Test
    void theImageEndsWhenTheHeapRunsOutInTrainingAndInRunning() throws IOException {
        assertThat(Files.readString(Path.of("Dockerfile")))
                .containsPattern("ENV JAVA_FLAGS=\"[^\"]*-XX:\\+ExitOnOutOfMemoryError ");
        for (String script : List.of("docker/train", "docker/start")) {
            assertThat(Files.readString(Path.of(script)).lines())
                    .filteredOn(line -> line.startsWith("java "))
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("java $JAVA_FLAGS "));
        }
        for (String name : List.of("api", "worker")) {
            assertThat(service(name).path("restart").asString()).isEqualTo("unless-stopped");
        }
    }

    /** From version 18 on the official image refuses a volume at the directory of the data. */
    @Test
    void postgresKeepsItsDataInAVolumeAboveTheDirectoryOfItsVersion() throws IOException {
        assertThat(texts(service("postgres").path("volumes")))
                .containsExactly("postgres:/var/lib/postgresql");
        assertThat(yaml("docker-compose.yml").path("volumes").has("postgres")).isTrue();
    }

    @Test
    void nothingListensBeyondThisMachine() throws IOException {
        yaml("docker-compose.yml")
                .path("services")
                .forEach(
                        service ->
                                assertThat(texts(service.path("ports")))
                                        .allMatch(port -> port.startsWith("127.0.0.1:")));
    }

    @Test
    void prometheusReadsItsRulesAndAKeyWhereTheyAreMounted() throws IOException {
        JsonNode prometheus = yaml("docker/prometheus/prometheus.yml");
        assertThat(texts(service("prometheus").path("volumes")))
                .contains("./docker/prometheus:/etc/prometheus:ro");
        assertThat(texts(prometheus.path("rule_files"))).containsExactly("alerts.yml");
        assertThat(yaml("docker/prometheus/alerts.yml").path("groups").isEmpty()).isFalse();

        JsonNode job = prometheus.path("scrape_configs").path(0);
        assertThat(job.path("job_name").asString()).isEqualTo("countersign");
        assertThat(job.path("metrics_path").asString()).isEqualTo("/actuator/prometheus");
        assertThat(job.path("authorization").path("credentials_file").asString())
                .isEqualTo("/etc/prometheus/key");
        assertThat(texts(job.path("dns_sd_configs").path(0).path("names")))
                .containsExactly("api", "worker");
        assertThat(Files.readString(Path.of(".gitignore"))).contains("docker/prometheus/key");
    }
}
