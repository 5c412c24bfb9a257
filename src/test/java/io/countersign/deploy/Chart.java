package io.countersign.deploy;

import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;

import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The Helm chart of this repository, and what Helm makes of it. */
final class Chart {
    static final Path DIRECTORY = Path.of("helm/countersign");
    static final String NAMESPACE = "gate";
    static final String RELEASE = "cs";

    private Chart() {}

    /** One rendered manifest. */
    record Manifest(Map<String, Object> content) {
        String kind() {
            return (String) content.get("kind");
        }

        String name() {
            return (String) at("metadata", "name");
        }

        /** The value at a path of members and indexes; null where there is none. */
        Object at(Object... path) {
            Object here = content;
            for (Object step : path) {
                here =
                        switch (here) {
                            case Map<?, ?> map -> map.get(step);
                            case List<?> list when (int) step < list.size() -> list.get((int) step);
                            case null, default -> null;
                        };
            }
            return here;
        }

        @Override
        public String toString() {
            return kind() + " " + name();
        }
    }

    /** The value sets in {@code ci/}: each must render, and pass every check. */
    static List<Path> valueSets() {
        try (Stream<Path> files = Files.list(DIRECTORY.resolve("ci"))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path values(String name) {
        return DIRECTORY.resolve("ci").resolve(name + "-values.yaml");
    }

    static TemplateCommand template(Path values) {
        return new Helm(Copy.DIRECTORY)
                .template()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeVersion("1.33.0")
                .withValuesFile(values);
    }

    static List<Manifest> render(Path values) {
        return manifests(template(values).call());
    }

    /** What an installation tells the one who made it. */
    static String notes(Path values) {
        return new Helm(Copy.DIRECTORY)
                .install()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeVersion("1.33.0")
                .withValuesFile(values)
                .clientOnly()
                .dryRun()
                .withDryRunOption(DryRun.CLIENT)
                .debug()
                .call()
                .getOutput();
    }

    static List<Manifest> manifests(String rendered) {
        List<Manifest> manifests = new ArrayList<>();
        for (Object document : new Yaml().loadAll(rendered)) {
            if (document != null) manifests.add(new Manifest(map(document)));
        }
        return manifests;
    }

    static Manifest one(List<Manifest> manifests, String kind, String name) {
        return manifests.stream()
                .filter(one -> one.kind().equals(kind) && one.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("no " + kind + " " + name + " in " + manifests));
    }

    /**
     * A copy from which hooks are rendered like everything else: the library leaves them out. Their
     * annotations begin with {@code hook} in it.
     */
    private static final class Copy {
        static final Path DIRECTORY = make();

        private static Path make() {
            try {
                Path target = Files.createTempDirectory("chart");
                copy(target, text -> text.replace("helm.sh/hook", "hook"));
                return target;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The chart with these values as its own: linting takes no values. */
    static Path with(Path values, Path target) {
        try {
            copy(target, text -> text);
            Map<String, Object> all = yaml(DIRECTORY.resolve("values.yaml"));
            merge(all, yaml(values));
            Files.writeString(target.resolve("values.yaml"), new Yaml().dump(all));
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Links are resolved, as when the chart is packed. */
    private static void copy(Path target, UnaryOperator<String> change) throws IOException {
        try (Stream<Path> files = Files.walk(DIRECTORY, FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = target.resolve(DIRECTORY.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, change.apply(Files.readString(file)));
            }
        }
    }

    static Map<String, Object> yaml(Path file) {
        try {
            return map(new Yaml().load(Files.readString(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void merge(Map<String, Object> into, Map<String, Object> from) {
        from.forEach(
                (key, value) -> {
                    if (value instanceof Map<?, ?> && into.get(key) instanceof Map<?, ?> there) {
                        Map<String, Object> both = new LinkedHashMap<>(map(there));
                        merge(both, map(value));
                        into.put(key, both);
                    } else {
                        into.put(key, value);
                    }
                });
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object yaml) {
        return (Map<String, Object>) yaml;
    }
}
