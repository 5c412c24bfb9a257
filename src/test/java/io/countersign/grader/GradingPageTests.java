package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every configuration that the page shows is one that the service takes. */
class GradingPageTests {
    @Configuration
    @EnableConfigurationProperties(GraderProperties.class)
    static class Bound {}

    static Stream<String> configurations() throws IOException {
        String page = Files.readString(Path.of("docs/grading.md"));
        return Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList()
                .stream();
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void bindsAndNamesAProviderForATier(String yaml) {
        new ApplicationContextRunner()
                .withUserConfiguration(Bound.class)
                .withInitializer(
                        context -> {
                            try {
                                new YamlPropertySourceLoader()
                                        .load(
                                                "page",
                                                new ByteArrayResource(
                                                        yaml.replaceAll("\\$\\{[A-Z_]+:}", "k-1")
                                                                .getBytes(StandardCharsets.UTF_8)))
                                        .forEach(
                                                context.getEnvironment().getPropertySources()
                                                        ::addLast);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        })
                .run(
                        context -> {
                            GraderProperties properties = context.getBean(GraderProperties.class);
                            assertThat(properties.providers()).hasSize(1);
                            assertThat(properties.providers().values()).allMatch(p -> p.isSet());
                            assertThat(properties.tiers().heavy()).isNotEmpty();
                        });
    }
}
