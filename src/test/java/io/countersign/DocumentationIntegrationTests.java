package io.countersign;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.GeneratedDoc;
import io.countersign.support.ServiceClient;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModule;
import org.springframework.modulith.core.ApplicationModuleDependency;
import org.springframework.modulith.core.ApplicationModules;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The pages that are made from the code say what the code does. */
class DocumentationIntegrationTests {
    private static final Path METADATA =
            Path.of("target/classes/META-INF/spring-configuration-metadata.json");

    @Test
    void theConfigurationPageIsWhatTheRecordsDeclare() {
        assertThat(METADATA)
                .as("settings are described by ./mvnw verify (the annotation processor)")
                .exists();
        Map<String, List<JsonNode>> groups =
                ServiceClient.JSON
                        .readTree(METADATA.toFile())
                        .path("properties")
                        .valueStream()
                        .filter(p -> p.path("name").asString().startsWith("countersign."))
                        .collect(
                                Collectors.groupingBy(
                                        p -> p.path("name").asString().split("\\.")[1],
                                        TreeMap::new,
                                        Collectors.toList()));
        StringBuilder page = new StringBuilder();
        groups.forEach(
                (group, properties) -> {
                    page.append("### ").append(group).append("\n\n");
                    page.append(
                            "| setting | type | default | meaning |\n| --- | --- | --- | --- |\n");
                    properties.forEach(property -> page.append(row(property)));
                    page.append('\n');
                });
        GeneratedDoc.assertPart(Path.of("docs/configuration.md"), "settings", page.toString());
    }

    @Test
    void everySettingIsDescribed() {
        assertThat(
                        ServiceClient.JSON
                                .readTree(METADATA.toFile())
                                .path("properties")
                                .valueStream()
                                .filter(p -> p.path("description").asString("").isBlank())
                                .map(p -> p.path("name").asString()))
                .as("settings whose record component has no @param")
                .isEmpty();
    }

    @Test
    void theModuleDiagramIsWhatTheModulesDeclare() {
        ApplicationModules modules =
                ApplicationModules.of(Countersign.class, new ArchitectureTests.MainSources());
        String arrows =
                modules.stream()
                        .sorted((a, b) -> name(a).compareTo(name(b)))
                        .flatMap(module -> arrows(module, modules))
                        .collect(Collectors.joining("\n"));
        GeneratedDoc.assertPart(
                Path.of("docs/architecture.md"),
                "modules",
                "```mermaid\nflowchart BT\n" + arrows + "\n```");
    }

    private static java.util.stream.Stream<String> arrows(
            ApplicationModule module, ApplicationModules modules) {
        return module.getDirectDependencies(modules).stream()
                .map(ApplicationModuleDependency::getTargetModule)
                .map(DocumentationIntegrationTests::name)
                // An arrow from every module to the kernel would hide the others.
                .filter(target -> !target.equals("kernel"))
                .distinct()
                .sorted()
                .map(target -> "    " + name(module) + " --> " + target);
    }

    private static String name(ApplicationModule module) {
        return module.getIdentifier().toString();
    }

    private static String row(JsonNode property) {
        return "| `%s` | %s | %s | %s |%n"
                .formatted(
                        property.path("name").asString(),
                        type(property.path("type").asString()),
                        defaultValue(property.path("defaultValue")),
                        sentence(property.path("description").asString("")))
                .replace(System.lineSeparator(), "\n");
    }

    private static String type(String type) {
        try {
            Class<?> loaded = Class.forName(type);
            if (loaded.isEnum()) {
                return Arrays.stream(loaded.getEnumConstants())
                        .map(
                                c ->
                                        "`"
                                                + c.toString()
                                                        .toLowerCase(Locale.ROOT)
                                                        .replace('_', '-')
                                                + "`")
                        .collect(Collectors.joining(", "));
            }
        } catch (ClassNotFoundException e) {
            // A generic type: its simple form below says enough.
        }
        return type.replaceAll("[a-z]+\\.|[A-Za-z]+\\$", "").replace("<", "&lt;");
    }

    private static String defaultValue(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "none";
        }
        String text =
                value.isArray()
                        ? value.valueStream()
                                .map(JsonNode::asString)
                                .collect(Collectors.joining(", "))
                        : value.asString();
        return text.isEmpty() ? "none" : "`" + text + "`";
    }

    private static String sentence(String description) {
        return description
                .replaceAll("\\{@(?:code|link|linkplain) ([^}]*)}", "`$1`")
                .replaceAll("\\s+", " ")
                .replace("|", "\\|");
    }
}
