import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Formats the sources with google-java-format (AOSP style: four spaces), on the build's own JDK.
 * Usage: {@code Format check|fix <directory>...}; {@code check} exits with 1 and names the files.
 */
final class Format {
    private static final Formatter FORMATTER =
            new Formatter(JavaFormatterOptions.builder().style(Style.AOSP).build());

    public static void main(String[] args) throws IOException {
        boolean fix = args[0].equals("fix");
        int unformatted = 0;
        for (String root : java.util.Arrays.asList(args).subList(1, args.length)) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
                    String source = Files.readString(file);
                    String formatted = format(file, source);
                    if (formatted.equals(source)) continue;
                    unformatted++;
                    if (fix) Files.writeString(file, formatted);
                    System.out.println((fix ? "formatted " : "not formatted: ") + file);
                }
            }
        }
        if (!fix && unformatted > 0) {
            System.out.println("run ./mvnw validate -Dformat.mode=fix");
            System.exit(1);
        }
    }

    private static String format(Path file, String source) {
        try {
            String trimmed = RemoveUnusedImports.removeUnusedImports(source);
            return FORMATTER.formatSource(ImportOrderer.reorderImports(trimmed, Style.AOSP));
        } catch (FormatterException e) {
            throw new IllegalStateException(file + ": " + e.getMessage(), e);
        }
    }
}
