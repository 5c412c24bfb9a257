import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Says at the end of a build which lanes ran and which tests were skipped, and why.
 * Usage: {@code Lanes <target>}. With demands ({@code COUNTERSIGN_LANES="lane=word ..."}) it exits
 * with 1 unless each lane's word begins as demanded and no test at all was skipped, but for want of a
 * tool that {@code COUNTERSIGN_NOT_SET_UP} names.
 */
final class Lanes {
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        Map<String, String> lanes = lanes(target.resolve("lanes"));
        Map<String, TreeSet<String>> skipped = new TreeMap<>();
        int tests = 0;
        for (String reports : List.of("surefire-reports", "failsafe-reports")) {
            tests += read(target.resolve(reports), skipped);
        }
        lanes.forEach((lane, word) -> System.out.println("[lanes] " + lane + ": " + word));
        skipped.forEach((why, where) -> System.out.println("[lanes] skipped: " + why + " " + where));
        System.out.println(
                "[lanes] " + tests + " tests, " + (skipped.isEmpty() ? "none" : "some") + " skipped");
        List<String> faults = new ArrayList<>();
        String demands = System.getenv().getOrDefault("COUNTERSIGN_LANES", "").strip();
        for (String demand : demands.isEmpty() ? new String[0] : demands.split("\\s+")) {
            String lane = demand.substring(0, demand.indexOf('='));
            String wanted = demand.substring(demand.indexOf('=') + 1);
            String word = lanes.getOrDefault(lane, "did not run");
            if (!word.startsWith(wanted)) {
                faults.add(lane + " lane: " + word + ", but it was set up to be: " + wanted);
            }
        }
        String[] notSetUp = System.getenv().getOrDefault("COUNTERSIGN_NOT_SET_UP", "").split("\\s+");
        for (String why : demands.isEmpty() ? Set.<String>of() : skipped.keySet()) {
            if (Arrays.stream(notSetUp).noneMatch(t -> why.matches("(.*: )?" + t + " is not installed.*"))) {
                faults.add("skipped although everything it needs was set up: " + why);
            }
        }
        if (!demands.isEmpty() && tests == 0) {
            faults.add("no test ran");
        }
        faults.forEach(fault -> System.out.println("[lanes] FAILED: " + fault));
        if (!faults.isEmpty()) {
            System.exit(1);
        }
    }

    private static Map<String, String> lanes(Path directory) throws IOException {
        Map<String, String> lanes = new TreeMap<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    lanes.put(file.getFileName().toString(), Files.readString(file).strip());
                }
            }
        }
        return lanes;
    }

    private static int read(Path directory, Map<String, TreeSet<String>> skipped) throws Exception {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        int tests = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".xml")).sorted().toList()) {
                if (!file.getFileName().toString().startsWith("TEST-")) {
                    continue;
                }
                Document report =
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(file.toFile());
                NodeList cases = report.getElementsByTagName("testcase");
                tests += cases.getLength();
                for (int i = 0; i < cases.getLength(); i++) {
                    Element test = (Element) cases.item(i);
                    NodeList skip = test.getElementsByTagName("skipped");
                    if (skip.getLength() > 0) {
                        String why = reason((Element) skip.item(0));
                        String type = test.getAttribute("classname");
                        skipped.computeIfAbsent(
                                        why.isBlank() ? "no reason given" : firstLine(why),
                                        w -> new TreeSet<>())
                                .add(type.substring(type.lastIndexOf('.') + 1));
                    }
                }
            }
        }
        return tests;
    }

    /** Surefire writes an aborted test's reason as its stack trace, a disabled one's as a message. */
    private static String reason(Element skipped) {
        String message = skipped.getAttribute("message");
        return message.isBlank() ? skipped.getTextContent() : message;
    }

    private static String firstLine(String text) {
        return text.lines()
                .findFirst()
                .orElse("")
                .replaceFirst("^[\\w.]+Exception: ", "")
                .replaceFirst("^Assumption failed: ", "");
    }
}
