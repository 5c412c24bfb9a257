package io.countersign.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;

import io.countersign.deploy.Chart.Manifest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What the chart renders, and what it refuses. */
class HelmChartTests {
    private static final Path MINIMAL = Chart.values("minimal");

    static List<Path> valueSets() {
        return Chart.valueSets();
    }

    private static List<String> kinds(List<Manifest> manifests) {
        return manifests.stream().map(Manifest::kind).toList();
    }

    private static Stream<Manifest> pods(List<Manifest> manifests) {
        return manifests.stream().filter(m -> m.at("spec", "template", "spec") != null);
    }

    private static Manifest deployment(List<Manifest> manifests, String role) {
        return manifests.stream()
                .filter(m -> m.kind().equals("Deployment") && m.name().endsWith("-" + role))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void passesTheStrictLint(Path values, @TempDir Path directory) {
        LintResult lint = new Helm(Chart.with(values, directory)).lint().strict().call();
        assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
    }

    @Test
    void theLeastValuesGiveBothRolesAMigrationAndTheirBounds() {
        assertThat(kinds(Chart.render(MINIMAL)))
                .containsExactlyInAnyOrder(
                        "ServiceAccount",
                        "Deployment",
                        "Deployment",
                        "PodDisruptionBudget",
                        "PodDisruptionBudget",
                        "Service",
                        "Service",
                        "NetworkPolicy",
                        "NetworkPolicy",
                        "NetworkPolicy",
                        "NetworkPolicy",
                        "Job");
    }

    @Test
    void aMigrationRunsBeforeAnythingOfANewVersionAndPodsOnlyVerify() {
        List<Manifest> manifests = Chart.render(MINIMAL);
        Manifest job = Chart.one(manifests, "Job", "cs-countersign-migrate");
        assertThat(job.at("metadata", "annotations", "hook")).isEqualTo("pre-install,pre-upgrade");
        assertThat(job.at("spec", "template", "spec", "containers", 0, "args"))
                .isEqualTo(List.of("migrate"));
        assertThat(job.content().toString())
                .as("only the database's settings")
                .doesNotContain("COUNTERSIGN_");
        for (String role : List.of("api", "worker")) {
            assertThat(deployment(manifests, role).content().toString())
                    .contains("name=COUNTERSIGN_SCHEMA_ATSTART, value=verify");
        }

        List<Manifest> without =
                Chart.manifests(Chart.template(MINIMAL).set("migration.job", false).call());
        assertThat(kinds(without)).doesNotContain("Job");
        assertThat(deployment(without, "api").content().toString())
                .contains("name=COUNTERSIGN_SCHEMA_ATSTART, value=migrate");
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void secretsComeByReferenceOnly(Path values) {
        List<Manifest> manifests = Chart.render(values);
        assertThat(kinds(manifests)).doesNotContain("Secret");
        assertThat(manifests.toString()).doesNotContainIgnoringCase("password=");
        pods(manifests)
                .flatMap(HelmChartTests::environment)
                .filter(
                        env ->
                                env.get("name")
                                        .toString()
                                        .matches(".*(PASSWORD|KEK|KEY|TOKEN|SECRET)$"))
                .forEach(
                        env -> assertThat(env).containsKey("valueFrom").doesNotContainKey("value"));
    }

    @SuppressWarnings("unchecked")
    private static Stream<Map<String, Object>> environment(Manifest pod) {
        Object env = pod.at("spec", "template", "spec", "containers", 0, "env");
        return ((List<Map<String, Object>>) env).stream();
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void everyPodIsConfined(Path values) {
        assertThat(pods(Chart.render(values)))
                .hasSize(3)
                .allSatisfy(
                        pod -> {
                            Object[] spec = {"spec", "template", "spec"};
                            assertThat(pod.at(append(spec, "automountServiceAccountToken")))
                                    .isEqualTo(false);
                            assertThat(pod.at(append(spec, "securityContext", "runAsNonRoot")))
                                    .isEqualTo(true);
                            Object[] container = append(spec, "containers", 0);
                            assertThat(
                                            pod.at(
                                                    append(
                                                            container,
                                                            "securityContext",
                                                            "readOnlyRootFilesystem")))
                                    .isEqualTo(true);
                            assertThat(
                                            pod.at(
                                                    append(
                                                            container,
                                                            "securityContext",
                                                            "capabilities",
                                                            "drop")))
                                    .isEqualTo(List.of("ALL"));
                            assertThat(pod.at(append(container, "resources", "limits", "memory")))
                                    .isNotNull();
                        });
    }

    private static Object[] append(Object[] path, Object... more) {
        return Stream.concat(Stream.of(path), Stream.of(more)).toArray();
    }

    @Test
    void onlyWorkersGetWhatTheSandboxNeeds() {
        List<Manifest> manifests = Chart.render(MINIMAL);
        Manifest worker = deployment(manifests, "worker");
        Object[] spec = {"spec", "template", "spec"};
        assertThat(worker.at(append(spec, "hostUsers"))).isEqualTo(false);
        assertThat(worker.at(append(spec, "securityContext", "seccompProfile", "type")))
                .isEqualTo("Unconfined");
        assertThat(worker.at(append(spec, "containers", 0, "securityContext", "procMount")))
                .isEqualTo("Unmasked");
        assertThat(worker.content().toString())
                .contains("name=COUNTERSIGN_SANDBOX_REQUIRED, value=true");
        pods(manifests)
                .filter(pod -> pod != worker)
                .forEach(
                        pod -> {
                            assertThat(
                                            pod.at(
                                                    append(
                                                            spec,
                                                            "securityContext",
                                                            "seccompProfile",
                                                            "type")))
                                    .isEqualTo("RuntimeDefault");
                            assertThat(pod.content().toString())
                                    .doesNotContain("Unmasked", "Unconfined", "hostUsers");
                        });
    }

    @Test
    void whateverIsNotAllowedIsDeniedInBothDirections() {
        List<Manifest> manifests = Chart.render(MINIMAL);
        Manifest deny = Chart.one(manifests, "NetworkPolicy", "cs-countersign-deny");
        assertThat(deny.at("spec", "policyTypes")).isEqualTo(List.of("Ingress", "Egress"));
        assertThat(deny.at("spec", "ingress")).isNull();
        assertThat(deny.at("spec", "egress")).isNull();
        String worker =
                Chart.one(manifests, "NetworkPolicy", "cs-countersign-worker").content().toString();
        assertThat(worker)
                .as("DNS and PostgreSQL, and nothing for graders or callbacks until they are on")
                .contains("port=53", "port=5432")
                .doesNotContain("port=443");
    }

    @Test
    void eachRoleReachesWhatItsWorkNeeds() {
        List<Manifest> full = Chart.render(Chart.values("full"));
        assertThat(Chart.one(full, "NetworkPolicy", "cs-api").content().toString())
                .as("graders, for reviews that a grader judges")
                .contains("port=8443", "10.20.0.0/24", "port=4318")
                .doesNotContain("203.0.113.0/24");
        assertThat(Chart.one(full, "NetworkPolicy", "cs-worker").content().toString())
                .as("graders and receivers of callbacks")
                .contains("port=8443", "10.20.0.0/24", "port=4318", "203.0.113.0/24")
                .as("nobody calls a worker")
                .doesNotContain("role=agent");
        assertThat(Chart.one(full, "NetworkPolicy", "cs-migrate").content().toString())
                .contains("10.20.0.0/24")
                .doesNotContain("port=443", "port=8443", "port=4318");
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void noPolicyHoldsAnEmptyListOfPeersSinceThatMeansEverybody(Path values) {
        assertThat(Chart.render(values))
                .filteredOn(m -> m.kind().equals("NetworkPolicy"))
                .allSatisfy(
                        policy ->
                                assertThat(policy.content().toString())
                                        .doesNotContain("from=[]", "to=[]", "from=null"));
        String closed =
                Chart.template(values)
                        .set("networkPolicy.ingress.metricsFrom", "null")
                        .set("networkPolicy.ingress.from", "null")
                        .call();
        Chart.manifests(closed).stream()
                .filter(m -> m.kind().equals("NetworkPolicy"))
                .forEach(m -> assertThat(m.at("spec", "ingress")).as("%s", m).isNull());
    }

    @Test
    void whoeverScalesWorkersAloneSetsTheirNumber() {
        assertThat(deployment(Chart.render(MINIMAL), "worker").at("spec", "replicas")).isEqualTo(2);
        List<Manifest> keda = Chart.render(Chart.values("keda"));
        assertThat(deployment(keda, "worker").at("spec", "replicas")).isNull();
        assertThat(deployment(keda, "api").at("spec", "replicas")).isEqualTo(2);
        Manifest scaled = Chart.one(keda, "ScaledObject", "cs-countersign-worker");
        assertThat(scaled.at("spec", "triggers", 0, "metadata", "query"))
                .isEqualTo("max(countersign_queue_age_seconds{namespace=\"gate\"})");
        assertThat(scaled.at("spec", "triggers", 0, "authenticationRef", "name"))
                .isEqualTo(
                        Chart.one(keda, "TriggerAuthentication", "cs-countersign-worker").name());
        List<Manifest> hpa = Chart.render(Chart.values("full"));
        assertThat(deployment(hpa, "worker").at("spec", "replicas")).isNull();
        assertThat(deployment(hpa, "api").at("spec", "replicas")).isNull();
        assertThat(
                        Chart.one(hpa, "HorizontalPodAutoscaler", "cs-worker")
                                .at("spec", "metrics", 0, "external", "metric", "name"))
                .isEqualTo("countersign_queue_age_seconds");
    }

    @Test
    void alertsAndDashboardAreThoseOfTheRepository() {
        List<Manifest> manifests = Chart.render(Chart.values("full"));
        assertThat(Chart.one(manifests, "PrometheusRule", "cs").at("spec"))
                .isEqualTo(Chart.yaml(Path.of("docker/prometheus/alerts.yml")));
        Object dashboard =
                Chart.one(manifests, "ConfigMap", "cs-dashboard").at("data", "countersign.json");
        assertThat(new org.yaml.snakeyaml.Yaml().<Object>load(dashboard.toString()))
                .isEqualTo(Chart.yaml(Path.of("docker/grafana/dashboards/countersign.json")));
    }

    @Test
    void everyAlertSaysWhatToDo() throws IOException {
        List<String> entries =
                Files.readAllLines(Path.of("docs/operations.md")).stream()
                        .filter(line -> line.startsWith("### "))
                        .map(
                                line ->
                                        "docs/operations.md#"
                                                + line.substring(4).toLowerCase(Locale.ROOT))
                        .toList();
        Object group = Chart.yaml(Path.of("docker/prometheus/alerts.yml")).get("groups");
        List<?> rules = (List<?>) Chart.map(((List<?>) group).getFirst()).get("rules");
        assertThat(rules)
                .hasSizeGreaterThan(10)
                .allSatisfy(
                        rule -> {
                            Manifest alert = new Manifest(Chart.map(rule));
                            String name = (String) alert.at("alert");
                            assertThat(entries)
                                    .contains((String) alert.at("annotations", "runbook"));
                            assertThat(alert.at("annotations", "runbook"))
                                    .isEqualTo(
                                            "docs/operations.md#" + name.toLowerCase(Locale.ROOT));
                            assertThat(alert.at("annotations", "summary")).isNotNull();
                            assertThat(alert.at("labels", "severity")).isIn("warning", "critical");
                        });
    }

    @Test
    void changedSettingsRestartPods() {
        Object before =
                deployment(Chart.render(MINIMAL), "api")
                        .at("spec", "template", "metadata", "annotations");
        String changed = Chart.template(MINIMAL).set("config.countersign.queue.max", 5_000).call();
        assertThat(
                        deployment(Chart.manifests(changed), "api")
                                .at("spec", "template", "metadata", "annotations"))
                .isNotEqualTo(before);
        assertThat(changed).contains("max: 5000");
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "api.replicas, 0, /api/replicas",
        "worker.replica, 3, replica",
        "worker.autoscaling.kind, cron, /worker/autoscaling/kind",
        "worker.autoscaling.kind, keda, /worker/autoscaling/keda/serverAddress",
        "worker.sandbox.hostUsers, true, /worker/sandbox/hostUsers",
        "worker.sandbox.procMount, Masked, /worker/sandbox/procMount",
        "worker.sandbox.seccompProfile, Localhost, seccompLocalhostProfile",
        "worker.terminationGracePeriodSeconds, 30, terminationGracePeriodSeconds",
        "worker.workSize, 20G, /worker/workSize",
        "database.url, mysql://db/x, /database/url",
        "database.url, jdbc:postgresql://user:secret@db/x, /database/url",
        "database.existingSecret, '', /database/existingSecret",
        "database.password, secret, password",
        "signing.existingSecret, '', /signing/existingSecret",
        "signing.kind, hsm, /signing/kind",
        "signing.kek, c2VjcmV0, kek",
        "worker.sandbox.seccompLocalhostProfile, p.json, /worker/sandbox/seccompLocalhostProfile",
        "worker.checks.concurrency, 0, /worker/checks/concurrency",
        "worker.checks.memory, 4GB, /worker/checks/memory",
        "worker.heap, '', /worker/heap",
        "config.countersgin.verify.require, always, countersgin",
        "config.countersign\\.signing\\.kek, c2VjcmV0, countersign.signing.kek",
        "grader.apiKeys.Anthropic.key, x, Anthropic",
        "ingress.enabled, true, /ingress/host",
        "image.digest, latest, /image/digest",
        "monitoring.serviceMonitor.enabled, true, /monitoring/serviceMonitor/existingSecret",
        "tracing.endpoint, collector:4318, /tracing/endpoint",
        "tracing.samplingProbability, 2, /tracing/samplingProbability",
        "service.port, 70000, /service/port",
        "metrics.enabled, true, metrics"
    })
    void refusesAWrongValueAndNamesIt(String key, String value, String named) {
        Object typed = value.matches("-?\\d+|true|false") ? (Object) number(value) : value;
        assertThatThrownBy(() -> Chart.template(MINIMAL).set(key, typed).call())
                .hasMessageContaining("schema")
                .hasMessageContaining(named);
    }

    private static Object number(String value) {
        return value.matches("true|false") ? Boolean.valueOf(value) : Integer.valueOf(value);
    }

    private static TemplateCommand with(Path directory, String yaml) throws IOException {
        Path values = Files.writeString(directory.resolve("more.yaml"), yaml);
        return Chart.template(MINIMAL).withValuesFile(values);
    }

    /** As Spring reads names: dashes, underscores, case and dots are spelling. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    countersign: {signing: {kek: c2VjcmV0}} | countersign.signing.kek
                    countersign: {signing.kek: c2VjcmV0} | countersign.signing.kek
                    countersign: {SIGNING: {KEK: c2VjcmV0}} | countersign.signing.kek
                    countersign: {"[signing]": {"[kek]": c2VjcmV0}} | countersign.signing.kek
                    countersign: {"signing[kek]": c2VjcmV0} | countersign.signing.kek
                    countersign: {signing: {kekFile: /run/kek}} | countersign.signing.kekfile
                    countersign: {signing: {kek-file: /run/kek}} | countersign.signing.kekfile
                    countersign: {signing: {key_file: /run/key}} | countersign.signing.keyfile
                    countersign: {signing: {keyFile: /run/key}} | countersign.signing.keyfile
                    countersign: {access: {bootstrap-key: cs_x}} | countersign.access.bootstrapkey
                    countersign: {access: {bootstrapKey: cs_x}} | countersign.access.bootstrapkey
                    countersign: {grader: {providers: {x: {api-key: sk}}}} | providers.x.apikey
                    countersign: {grader: {providers: {x: {apiKey: sk}}}} | providers.x.apikey
                    countersign: {grader: {providers: {x.API_KEY: sk}}} | providers.x.apikey
                    spring: {datasource: {password: s}} | spring.datasource.password
                    spring: {datasource: {username: s}} | spring.datasource.username
                    spring: {datasource.hikari.password: s} | spring.datasource.hikari.password
                    spring: {flyway: {password: s}} | spring.flyway.password
                    spring: {flyway: {url: "jdbc:postgresql://h/d?user=u&password=p"}} | spring.flyway.url
                    spring: {flyway: {url: "jdbc:postgresql://u:p@h/d"}} | spring.flyway.url
                    server: {x: [{key-store-password: s}]} | server.x.0.keystorepassword
                    management: {x: {bearer-token: s}} | management.x.bearertoken
                    """)
    void refusesASecretInWhateverSpelling(String config, String named, @TempDir Path directory) {
        assertThatThrownBy(() -> with(directory, "config: {" + config + "}").call())
                .hasMessageContaining(named)
                .hasMessageContaining("by reference only");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    countersign: {roles: [api]} | countersign.roles
                    countersign: {roles: api} | countersign.roles
                    countersign: {schema: {at-start: migrate}} | countersign.schema.atstart
                    countersign: {schema.at-start: migrate} | countersign.schema.atstart
                    countersign: {schema: {atStart: migrate}} | countersign.schema.atstart
                    countersign: {local: {active: true}} | countersign.local.active
                    countersign: {sandbox.required: false} | countersign.sandbox.required
                    countersign: {sandbox: {limits: {memory: 8GB}}} | countersign.sandbox.limits.memory
                    countersign: {checks: {concurrency: 9}} | countersign.checks.concurrency
                    countersign: {workspaces: {directory: /x}} | countersign.workspaces.directory
                    spring: {datasource: {url: x}} | spring.datasource.url
                    spring: {mvc: {servlet: {path: /x}}} | spring.mvc.servlet.path
                    server: {port: 9090} | server.port
                    server: {address: 127.0.0.1} | server.address
                    server: {ssl: {bundle: web}} | server.ssl.bundle
                    server: {servlet: {context-path: /gate}} | server.servlet.contextpath
                    server: {servlet.contextPath: /gate} | server.servlet.contextpath
                    management: {server: {port: 9090}} | management.server.port
                    management: {endpoints: {web: {base-path: /m}}} | management.endpoints.web.basepath
                    management: {endpoints.web.path-mapping.health: h} | management.endpoints.web.pathmapping
                    """)
    void refusesWhatItSetsItselfOrCountsOn(String config, String named, @TempDir Path directory) {
        assertThatThrownBy(() -> with(directory, "config: {" + config + "}").call())
                .hasMessageContaining(named)
                .hasMessageContaining("leave it out");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    COUNTERSIGN_SIGNING_KEK | api | by reference only
                    SPRING_FLYWAY_PASSWORD | migration | by reference only
                    COUNTERSIGN_GRADER_PROVIDERS_X_APIKEY | worker | by reference only
                    SERVER_PORT | api | leave it out
                    COUNTERSIGN_ROLES | worker | leave it out
                    JAVA_OPTS | worker | worker.javaOpts
                    """)
    void refusesTheSameInVariables(String name, String part, String why, @TempDir Path directory) {
        String yaml = part + ": {extraEnv: [{name: " + name + ", value: x}]}";
        assertThatThrownBy(() -> with(directory, yaml).call())
                .hasMessageContaining(part + ".extraEnv " + name)
                .hasMessageContaining(why);
    }

    @Test
    void takesASecretByReference(@TempDir Path directory) throws IOException {
        String reference = "valueFrom: {secretKeyRef: {name: owner, key: password}}";
        assertThat(
                        with(
                                        directory,
                                        "api: {extraEnv: [{name: SPRING_FLYWAY_PASSWORD, "
                                                + reference
                                                + "}]}")
                                .call())
                .contains("SPRING_FLYWAY_PASSWORD");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    database.url=jdbc:postgresql://h/d?user=u&password=p | database.url
                    database.url=jdbc:postgresql://h/d?sslpassword=p | database.url
                    signing.kind=private-key | signing.key
                    worker.resources.limits.memory=6Gi | worker.resources.limits.memory
                    worker.resources.limits.memory=11519Mi | 11520Mi
                    worker.resources.limits.memory=11.5G | 11520Mi
                    worker.resources.limits.memory=9000000000 | 11520Mi
                    worker.resources.limits.memory=lots | lots
                    worker.checks.concurrency=3 | worker.checks.concurrency
                    worker.checks.memory=5Gi | worker.checks.memory
                    worker.checks.fileSize=2Gi | worker.checks.fileSize
                    worker.heap=2Gi | worker.heap
                    worker.preStopSeconds=20 | worker.terminationGracePeriodSeconds
                    api.terminationGracePeriodSeconds=62 | api.terminationGracePeriodSeconds
                    api.autoscaling.minReplicas=7 | api.autoscaling.minReplicas
                    worker.autoscaling.minReplicas=11 | worker.autoscaling.minReplicas
                    """)
    void refusesValuesThatDoNotFitEachOther(String value, String named) {
        String[] set = value.split("=", 2);
        Object typed = set[1].matches("\\d{1,9}") ? (Object) Integer.valueOf(set[1]) : set[1];
        assertThatThrownBy(() -> Chart.template(MINIMAL).set(set[0], typed).call())
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"11520Mi", "12.1G", "12100000000", "11796480Ki", "1Ti"})
    void takesAMemoryThatHoldsWhatMayRun(String memory) {
        String rendered =
                Chart.template(MINIMAL).set("worker.resources.limits.memory", memory).call();
        assertThat(environment(deployment(Chart.manifests(rendered), "worker")))
                .contains(
                        Map.of("name", "COUNTERSIGN_CHECKS_CONCURRENCY", "value", "2"),
                        Map.of("name", "COUNTERSIGN_SANDBOX_LIMITS_MEMORY", "value", "4096MB"),
                        Map.of("name", "COUNTERSIGN_SANDBOX_LIMITS_FILESIZE", "value", "1024MB"),
                        Map.of("name", "JAVA_OPTS", "value", "-Xmx512m"));
    }

    @Test
    void theMigrationGetsTheSettingsBeforeItRunsAndWhatItsConnectionNeeds() {
        List<Manifest> full = Chart.render(Chart.values("full"));
        Manifest job = Chart.one(full, "Job", "cs-migrate");
        Manifest settings = Chart.one(full, "ConfigMap", "cs-migrate");
        assertThat(settings.at("data")).isEqualTo(Chart.one(full, "ConfigMap", "cs").at("data"));
        assertThat(settings.at("metadata", "annotations", "hook-weight")).isEqualTo("-5");
        assertThat(job.at("metadata", "annotations", "hook-weight")).isEqualTo("0");
        assertThat(job.content().toString())
                .contains(
                        "name=SPRING_CONFIG_ADDITIONALLOCATION, value=file:/etc/countersign/",
                        "mountPath=/etc/countersign,",
                        "configMap={name=cs-migrate}",
                        "name=SPRING_FLYWAY_PASSWORD, valueFrom=",
                        "mountPath=/etc/database-ca",
                        "configMap={name=database-ca}");
        assertThat(full)
                .filteredOn(m -> m.at("metadata", "annotations", "hook") != null)
                .hasSize(3)
                .allSatisfy(
                        hook ->
                                assertThat(hook.at("metadata", "annotations", "hook-delete-policy"))
                                        .isEqualTo("before-hook-creation,hook-succeeded"));
    }

    @Test
    void aPodThatMayMigrateHasTheTimeOfAMigrationToStart() {
        Object[] threshold = {
            "spec", "template", "spec", "containers", 0, "startupProbe", "failureThreshold"
        };
        assertThat(deployment(Chart.render(MINIMAL), "api").at(threshold)).isEqualTo(90);
        String without = Chart.template(MINIMAL).set("migration.job", false).call();
        Manifest api = deployment(Chart.manifests(without), "api");
        assertThat(api.at(threshold)).isEqualTo(1800);
        assertThat(api.at("spec", "progressDeadlineSeconds")).isEqualTo(2400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tracing: {endpoint: "http://c:4318/v1/traces"} | otlp
                    config: {countersign: {access: {oidc: [{issuer: "https://i"}]}}} | oidc
                    config: {countersign: {access.oidc: [{issuer: "https://i"}]}} | oidc
                    grader: {apiKeys: {x: {existingSecret: s, key: k}}} | graders
                    """)
    void warnsOfAnAddressThatThePoliciesClose(String yaml, String egress, @TempDir Path directory)
            throws IOException {
        String closed = "networkPolicy.egress." + egress + ".enabled is false";
        assertThat(Chart.notes(MINIMAL)).doesNotContain(closed);
        Path values = directory.resolve("values.yaml");
        String minimal = Files.readString(MINIMAL) + "\n" + yaml + "\n";
        Files.writeString(values, minimal);
        assertThat(Chart.notes(values)).contains("WARNING", closed);
        Files.writeString(
                values, minimal + "networkPolicy: {egress: {" + egress + ": {enabled: true}}}");
        assertThat(Chart.notes(values)).doesNotContain(closed);
    }

    @Test
    void refusesToBeInstalledWithoutADatabase() {
        assertThatThrownBy(() -> new Helm(Chart.DIRECTORY).template().withName("cs").call())
                .hasMessageContaining("/database/url");
    }
}
