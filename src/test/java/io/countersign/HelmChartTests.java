package io.countersign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class HelmChartTests {
    private static final Helm CHART = new Helm(Path.of("helm/countersign"));

    private static TemplateCommand complete() {
        return CHART.template()
                .withName("cs")
                .set("database.url", "jdbc:postgresql://db:5432/countersign")
                .set("database.existingSecret", "db")
                .set("existingSecret", "keys");
    }

    @Test
    void rendersBothRolesWithSecretsByReferenceOnly() {
        List<Map<String, Object>> documents = documents(complete().call());
        assertThat(documents)
                .extracting(d -> d.get("kind"))
                .containsExactlyInAnyOrder(
                        "Deployment",
                        "Deployment",
                        "PodDisruptionBudget",
                        "PodDisruptionBudget",
                        "Service",
                        "NetworkPolicy");
        String deployments = documents.toString();
        assertThat(deployments)
                .contains("--countersign.roles=api", "--countersign.roles=worker")
                .contains("secretKeyRef={name=keys, key=signing-kek}")
                .contains("readOnlyRootFilesystem=true")
                .doesNotContain("kind=Secret");
    }

    @Test
    void rendersAnIngressOnlyWhenAsked() {
        String rendered =
                complete().set("ingress.enabled", true).set("ingress.host", "cs.example").call();
        assertThat(documents(rendered)).extracting(d -> d.get("kind")).contains("Ingress");
        assertThatThrownBy(() -> complete().set("ingress.enabled", true).call())
                .hasMessageContaining("ingress.host is needed");
    }

    @Test
    void refusesWrongValuesByTheSchema() {
        assertThatThrownBy(() -> complete().set("api.replicas", 0).call())
                .hasMessageContaining("replicas");
        assertThatThrownBy(() -> complete().set("database.url", "mysql://db").call())
                .hasMessageContaining("database");
        assertThatThrownBy(() -> complete().set("worker.replica", 3).call())
                .hasMessageContaining("replica");
    }

    private static List<Map<String, Object>> documents(String rendered) {
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Object document : new Yaml().loadAll(rendered)) {
            if (document != null) {
                @SuppressWarnings("unchecked")
                Map<String, Object> one = (Map<String, Object>) document;
                documents.add(one);
            }
        }
        return documents;
    }
}
