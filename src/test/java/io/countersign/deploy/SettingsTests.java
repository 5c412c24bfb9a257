package io.countersign.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.deploy.Chart.Manifest;
import io.countersign.grader.provider.ProviderSettings;
import io.countersign.support.ServiceClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a deployment sets is what the service reads: a misspelled variable would be ignored without
 * a word, and its setting would keep its default.
 */
class SettingsTests {
    private static final String PROVIDERS = "countersign.grader.providers";
    private static final Set<String> COUNTERSIGN = documented();
    private static final Set<String> SPRING = ofSpringBoot();

    /** The settings of the page that a test holds to the code. */
    private static Set<String> documented() {
        try {
            String page = Files.readString(Path.of("docs/configuration.md"));
            Set<String> settings =
                    Pattern.compile("^\\| `(countersign\\.[a-z.-]+)` \\|", Pattern.MULTILINE)
                            .matcher(page)
                            .results()
                            .map(found -> found.group(1))
                            .collect(Collectors.toCollection(TreeSet::new));
            assertThat(settings).hasSizeGreaterThan(40).contains(PROVIDERS);
            return settings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> ofSpringBoot() {
        try {
            Set<String> names = new TreeSet<>();
            for (URL metadata :
                    Collections.list(
                            SettingsTests.class
                                    .getClassLoader()
                                    .getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream in = metadata.openStream()) {
                    for (JsonNode property :
                            ServiceClient.JSON.readTree(in.readAllBytes()).path("properties")) {
                        if (!property.path("deprecation")
                                .path("level")
                                .asString("")
                                .equals("error")) names.add(property.path("name").asString());
                    }
                }
            }
            // Read by the config data loader itself, which has no record of its own.
            names.add("spring.config.additional-location");
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> valueSets() {
        return Chart.valueSets();
    }

    private static String variable(String setting) {
        return setting.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static boolean isKnown(String variable) {
        Set<String> known = variable.startsWith("COUNTERSIGN_") ? COUNTERSIGN : SPRING;
        return known.stream().map(SettingsTests::variable).anyMatch(variable::equals)
                || isOfAProvider(variable);
    }

    private static boolean isOfAProvider(String variable) {
        var of = Pattern.compile(variable(PROVIDERS) + "_[A-Z0-9]+_([A-Z]+)").matcher(variable);
        return of.matches() && members().contains(of.group(1));
    }

    private static Set<String> members() {
        return Arrays.stream(ProviderSettings.class.getRecordComponents())
                .map(component -> component.getName().toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private static Stream<String> names(Manifest pod) {
        List<?> env = (List<?>) pod.at("spec", "template", "spec", "containers", 0, "env");
        return env.stream().map(one -> (String) Chart.map(one).get("name"));
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void everyVariableIsASetting(Path values) {
        List<String> variables =
                Chart.render(values).stream()
                        .filter(m -> m.at("spec", "template", "spec") != null)
                        .flatMap(SettingsTests::names)
                        .filter(name -> !name.equals("JAVA_OPTS"))
                        .distinct()
                        .toList();
        assertThat(variables).contains("SPRING_DATASOURCE_URL", "COUNTERSIGN_SCHEMA_ATSTART");
        assertThat(variables).allMatch(SettingsTests::isKnown, "is a setting of the service");
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void everyArgumentIsASetting(Path values) {
        List<String> arguments =
                Pattern.compile("--([a-z.-]+)=")
                        .matcher(Chart.template(values).call())
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        assertThat(arguments).isNotEmpty();
        assertThat(COUNTERSIGN).containsAll(arguments);
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void theExamplesSettingsExist(Path values) {
        for (Manifest manifest : Chart.render(values)) {
            Object file = manifest.at("data", "application.yaml");
            if (file == null) continue;
            List<String> keys = new ArrayList<>();
            flatten("", new Yaml().load(file.toString()), keys);
            assertThat(keys)
                    .isNotEmpty()
                    .allMatch(
                            key ->
                                    COUNTERSIGN.contains(key)
                                            || SPRING.contains(key)
                                            || key.startsWith(PROVIDERS)
                                            || key.startsWith("countersign.grader.tiers"),
                            "is a setting of the service");
        }
    }

    private static void flatten(String prefix, Object yaml, List<String> keys) {
        if (yaml instanceof Map<?, ?> map) {
            String before = prefix.isEmpty() ? "" : prefix + ".";
            map.forEach((key, value) -> flatten(before + key, value, keys));
        } else {
            keys.add(prefix);
        }
    }

    /** The same for the Compose file, whose environment is written by hand too. */
    @Test
    void everyVariableOfTheComposeFileIsASetting() throws IOException {
        List<String> variables =
                Pattern.compile(
                                "^ +((?:SPRING|COUNTERSIGN|SERVER|MANAGEMENT)_[A-Z_]+):",
                                Pattern.MULTILINE)
                        .matcher(Files.readString(Path.of("docker-compose.yml")))
                        .results()
                        .map(found -> found.group(1))
                        .distinct()
                        .toList();
        assertThat(variables).isNotEmpty().allMatch(SettingsTests::isKnown, "is a setting");
    }
}
