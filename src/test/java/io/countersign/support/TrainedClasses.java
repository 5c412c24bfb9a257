package io.countersign.support;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * This build's classes in jars beside an AOT cache, as the image has them: a service process starts
 * in a fraction of the time. Worth its training for a test that starts more than a few.
 */
public final class TrainedClasses {
    private static final Duration DUMP = Duration.ofMinutes(15);

    private final List<String> options;

    private TrainedClasses(List<String> options) {
        this.options = List.copyOf(options);
    }

    /**
     * Starts a service once and lets it write its cache when it ends.
     *
     * @param database is migrated by this
     * @param directory gets the jars, the cache and the log of the training
     * @param jvm the options of every later start: a cache is good for the flags that made it
     */
    public static TrainedClasses train(
            TestPostgres.Database database,
            Path directory,
            List<String> jvm,
            Map<String, String> settings)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(jvm);
        options.addAll(List.of("-cp", packed(directory)));
        Path cache = directory.resolve("service.aot");
        List<String> training = new ArrayList<>(options);
        training.add("-XX:AOTCacheOutput=" + cache);
        ServiceProcess.start(database.url(), directory.resolve("training.log"), training, settings)
                .stop(DUMP);
        options.add("-XX:AOTCache=" + cache);
        return new TrainedClasses(options);
    }

    /** The options of a JVM that uses them. */
    public List<String> options() {
        return options;
    }

    /** The class path of this JVM with a jar in the place of each directory: a cache demands it. */
    private static String packed(Path directory) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isRegularFile(path)) {
                entries.add(entry);
            } else if (Files.isDirectory(path)) {
                Path jar = directory.resolve("classes-" + entries.size() + ".jar");
                pack(path, jar);
                entries.add(jar.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path path : (Iterable<Path>) all.sorted()::iterator) {
                if (path.equals(classes)) continue;
                boolean directory = Files.isDirectory(path);
                String name = classes.relativize(path).toString().replace(File.separatorChar, '/');
                // Directories too: class path scanning finds packages by their entries.
                packed.putNextEntry(new ZipEntry(directory ? name + "/" : name));
                if (!directory) Files.copy(path, packed);
                packed.closeEntry();
            }
        }
    }
}
