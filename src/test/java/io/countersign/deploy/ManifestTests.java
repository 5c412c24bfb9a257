package io.countersign.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import io.countersign.deploy.Chart.Manifest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Every rendered manifest is what the Kubernetes API takes. No API server is at hand: two models of
 * it judge instead. The official client's refuses unknown and missing fields, fabric8's unknown
 * fields and values of a wrong type. Of KEDA there is no model, so its part is written down here.
 */
class ManifestTests {
    private static final Gson GSON = new Gson();
    private static final Set<String> KEDA = Set.of("ScaledObject", "TriggerAuthentication");
    private static final Map<String, Class<?>> OFFICIAL =
            Map.of(
                    "ConfigMap", io.kubernetes.client.openapi.models.V1ConfigMap.class,
                    "Deployment", io.kubernetes.client.openapi.models.V1Deployment.class,
                    "HorizontalPodAutoscaler",
                            io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler.class,
                    "Ingress", io.kubernetes.client.openapi.models.V1Ingress.class,
                    "Job", io.kubernetes.client.openapi.models.V1Job.class,
                    "NetworkPolicy", io.kubernetes.client.openapi.models.V1NetworkPolicy.class,
                    "PodDisruptionBudget",
                            io.kubernetes.client.openapi.models.V1PodDisruptionBudget.class,
                    "Service", io.kubernetes.client.openapi.models.V1Service.class,
                    "ServiceAccount", io.kubernetes.client.openapi.models.V1ServiceAccount.class);
    private static final Map<String, Class<?>> FABRIC8 =
            Map.ofEntries(
                    Map.entry("ConfigMap", io.fabric8.kubernetes.api.model.ConfigMap.class),
                    Map.entry("Deployment", io.fabric8.kubernetes.api.model.apps.Deployment.class),
                    Map.entry(
                            "HorizontalPodAutoscaler",
                            io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler
                                    .class),
                    Map.entry(
                            "Ingress", io.fabric8.kubernetes.api.model.networking.v1.Ingress.class),
                    Map.entry("Job", io.fabric8.kubernetes.api.model.batch.v1.Job.class),
                    Map.entry(
                            "NetworkPolicy",
                            io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy.class),
                    Map.entry(
                            "PodDisruptionBudget",
                            io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget.class),
                    Map.entry(
                            "PrometheusRule",
                            io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule.class),
                    Map.entry("Service", io.fabric8.kubernetes.api.model.Service.class),
                    Map.entry(
                            "ServiceAccount", io.fabric8.kubernetes.api.model.ServiceAccount.class),
                    Map.entry(
                            "ServiceMonitor",
                            io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor.class));
    private static final ObjectMapper STRICT = strict();

    /** Without the members that catch what is unknown, and without turning a 5 into a "5". */
    private static ObjectMapper strict() {
        ObjectMapper mapper =
                JsonMapper.builder()
                        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .annotationIntrospector(
                                new JacksonAnnotationIntrospector() {
                                    @Override
                                    public Boolean hasAnySetter(Annotated annotated) {
                                        return false;
                                    }
                                })
                        .build();
        mapper.coercionConfigFor(LogicalType.Textual)
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
        return mapper;
    }

    static Stream<Manifest> manifests() {
        return Chart.valueSets().stream().flatMap(values -> Chart.render(values).stream());
    }

    private static void official(Manifest manifest) throws Exception {
        Class<?> model = OFFICIAL.get(manifest.kind());
        if (model == null) return;
        JsonElement json = GSON.toJsonTree(manifest.content());
        try {
            model.getMethod("validateJsonElement", JsonElement.class).invoke(null, json);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(manifest + ": " + e.getCause().getMessage(), e);
        }
    }

    private static void fabric8(Manifest manifest) throws IOException {
        STRICT.readValue(GSON.toJson(manifest.content()), FABRIC8.get(manifest.kind()));
    }

    private static void keda(Manifest manifest) throws IOException {
        Schema schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(
                                Files.readString(Path.of("src/test/resources/deploy/keda.json")),
                                InputFormat.JSON);
        assertThat(schema.validate(GSON.toJson(manifest.content()), InputFormat.JSON)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void isWhatTheApiTakes(Manifest manifest) throws Exception {
        if (KEDA.contains(manifest.kind())) {
            keda(manifest);
        } else {
            assertThat(FABRIC8).containsKey(manifest.kind());
            official(manifest);
            fabric8(manifest);
        }
    }

    @Test
    void selectorsFindThePodsTheyAreMeantFor() {
        for (Path values : Chart.valueSets()) {
            List<Manifest> all = Chart.render(values);
            for (String role : List.of("api", "worker")) {
                Manifest pods =
                        all.stream()
                                .filter(m -> m.kind().equals("Deployment"))
                                .filter(m -> m.name().endsWith("-" + role))
                                .findFirst()
                                .orElseThrow();
                Map<String, Object> labels =
                        Chart.map(pods.at("spec", "template", "metadata", "labels"));
                assertThat(labels)
                        .containsAllEntriesOf(
                                Chart.map(pods.at("spec", "selector", "matchLabels")));
                all.stream()
                        .filter(m -> m.kind().equals("PodDisruptionBudget"))
                        .filter(m -> m.name().equals(pods.name()))
                        .forEach(
                                m ->
                                        assertThat(labels)
                                                .containsAllEntriesOf(
                                                        Chart.map(
                                                                m.at(
                                                                        "spec",
                                                                        "selector",
                                                                        "matchLabels"))));
                Object service =
                        all.stream()
                                .filter(m -> m.kind().equals("Service"))
                                .map(m -> m.at("spec", "selector"))
                                .filter(s -> Chart.map(s).containsValue(role))
                                .findFirst()
                                .orElseThrow();
                assertThat(labels).containsAllEntriesOf(Chart.map(service));
            }
        }
    }

    @Test
    void theModelsJudgeAtAll() {
        Manifest unknown = deploymentWith("replica: 2");
        assertThatThrownBy(() -> official(unknown)).hasMessageContaining("replica");
        assertThatThrownBy(() -> fabric8(unknown)).hasMessageContaining("replica");
        Manifest type = deploymentWith("replicas: two");
        assertThatThrownBy(() -> fabric8(type)).hasMessageContaining("two");
        Manifest text = deploymentWith("strategy: {type: 5}");
        assertThatThrownBy(() -> fabric8(text)).hasMessageContaining("String");
        Manifest missing = Chart.manifests("{kind: Deployment, spec: {selector: {}}}").getFirst();
        assertThatThrownBy(() -> official(missing)).hasMessageContaining("template");
        Manifest trigger =
                Chart.manifests("{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {}}")
                        .getFirst();
        assertThatThrownBy(() -> keda(trigger)).hasMessageContaining("triggers");
        assertThatCode(() -> official(deploymentWith("replicas: 2"))).doesNotThrowAnyException();
    }

    private static Manifest deploymentWith(String member) {
        return Chart.manifests(
                        """
                        apiVersion: apps/v1
                        kind: Deployment
                        spec:
                          %s
                          selector: {matchLabels: {a: b}}
                          template: {spec: {containers: [{name: c}]}}
                        """
                                .formatted(member))
                .getFirst();
    }
}
