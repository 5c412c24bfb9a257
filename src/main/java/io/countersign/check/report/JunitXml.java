package io.countersign.check.report;

import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads JUnit XML as build tools write it. The file is the producer's: no document type, no
 * entities, nothing fetched, and read as a stream within a bound of bytes.
 */
public final class JunitXml {
    /** The largest report that is read. */
    public static final long MAX_BYTES = 64L << 20;

    private static final int MAX_FILES = 5;

    /** The counts that {@code node --test} writes as comments; it reports empty suites as tests. */
    private static final Pattern NODE_COUNT = Pattern.compile(" (pass|fail|cancelled) (\\d{1,9}) ");

    private JunitXml() {}

    /** What a file came to. */
    public sealed interface Reading {
        /**
         * A report.
         *
         * @param skippedIn files that the skipped tests are in, where the report names them; at
         *     most a few
         * @param tests stands for the tests by their names and ends, in their order: two reports of
         *     one run have the same
         */
        record Report(Tally tally, Set<String> skippedIn, Sha256 tests) implements Reading {}

        /** Some other XML file; it says nothing about tests. */
        record Foreign() implements Reading {}

        /** It is not readable to its end, so that its failures may be the part that is missing. */
        record Broken(String why) implements Reading {}
    }

    /**
     * Reads one file to its end.
     *
     * @throws IOException when the disk fails
     */
    public static Reading read(InputStream file) throws IOException {
        var bounded = new BoundedInput(file, MAX_BYTES);
        try {
            XMLStreamReader xml = factory().createXMLStreamReader(decoded(bounded));
            try {
                return new Parse(xml).run();
            } finally {
                xml.close();
            }
        } catch (XMLStreamException | RuntimeException e) {
            if (bounded.failure() != null) throw bounded.failure();
            if (bounded.exhausted()) return new Reading.Broken("it is larger than 64 MiB");
            return new Reading.Broken("it is not well-formed XML");
        }
    }

    /**
     * UTF-16 by its mark, else UTF-8: the structure of a report in any other encoding is ASCII, and
     * names are not compared. Decoding here keeps the parser from printing about broken bytes.
     */
    private static Reader decoded(InputStream file) throws IOException {
        var input = new PushbackInputStream(file, 3);
        byte[] start = new byte[3];
        int n = input.readNBytes(start, 0, 3);
        if (n >= 2 && (start[0] == (byte) 0xfe || start[0] == (byte) 0xff)) {
            input.unread(start, 0, n);
            return new InputStreamReader(input, StandardCharsets.UTF_16);
        }
        boolean mark = n == 3 && start[0] == (byte) 0xef && start[1] == (byte) 0xbb;
        if (!mark) input.unread(start, 0, n);
        return new InputStreamReader(input, StandardCharsets.UTF_8);
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        factory.setXMLResolver(
                (publicId, systemId, baseUri, namespace) -> {
                    throw new XMLStreamException("nothing is fetched");
                });
        return factory;
    }

    private static final class Parse {
        private final XMLStreamReader xml;
        private final Count count = new Count();
        private final Set<String> skippedIn = new TreeSet<>();
        private int depth;
        private boolean inTest;
        private boolean failed;
        private boolean skipped;
        private boolean toDo;
        private String name = "";
        private String place = "";
        private final MessageDigest tests = Sha256.newDigest();
        private String file = "";
        private int suitesClaim;
        private int passes = Integer.MAX_VALUE;
        private int files;

        Parse(XMLStreamReader xml) {
            this.xml = xml;
        }

        Reading run() throws XMLStreamException {
            while (xml.hasNext()) {
                switch (xml.next()) {
                    case XMLStreamConstants.DTD -> {
                        return new Reading.Broken("it has a document type");
                    }
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (depth++ == 0 && !isSuite()) return new Reading.Foreign();
                        start();
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        depth--;
                        if (xml.getLocalName().equals("testcase")) end();
                    }
                    case XMLStreamConstants.COMMENT -> {
                        if (depth == 1) readNodeCount(xml.getText());
                    }
                    default -> {}
                }
            }
            return report();
        }

        private boolean isSuite() {
            return xml.getLocalName().equals("testsuites")
                    || xml.getLocalName().equals("testsuite");
        }

        private void start() {
            switch (xml.getLocalName()) {
                case "testsuite" -> suitesClaim = Math.max(suitesClaim, claimedFailures());
                case "testcase" -> startTest();
                case "failure", "error" -> {
                    if (inTest) failed = true;
                    else count.fault("a suite reports an error of its own");
                }
                case "skipped" -> {
                    skipped = true;
                    toDo |= attribute("type").equals("todo");
                }
                default -> {}
            }
        }

        private void startTest() {
            inTest = true;
            failed = false;
            toDo = false;
            skipped = isDisabled(attribute("status")) || isDisabled(attribute("result"));
            name = attribute("name");
            place = attribute("classname");
            file = attribute("file");
        }

        private static boolean isDisabled(String status) {
            return switch (status) {
                case "notrun", "disabled", "skipped", "suppressed", "pending" -> true;
                default -> false;
            };
        }

        private int claimedFailures() {
            return Tally.sum(number("failures"), number("errors"));
        }

        private int number(String attribute) {
            String digits = attribute(attribute);
            return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
        }

        private String attribute(String wanted) {
            @Nullable String value = xml.getAttributeValue(null, wanted);
            return value == null ? "" : value;
        }

        private void readNodeCount(String comment) {
            if (comment.length() > 30) return;
            Matcher count = NODE_COUNT.matcher(comment);
            if (!count.matches()) return;
            int number = Count.number(count.group(2));
            if (count.group(1).equals("pass")) passes = number;
            else suitesClaim = Math.max(suitesClaim, number);
        }

        private void end() {
            inTest = false;
            String test = place + "\0" + name + "\0" + failed + skipped + toDo + "\0";
            tests.update(test.getBytes(StandardCharsets.UTF_8));
            if (failed && !toDo) {
                count.add(0, 1, 0);
            } else if (skipped) {
                count.add(0, 0, 1);
                if (!file.isBlank() && skippedIn.size() < MAX_FILES) skippedIn.add(file);
            } else if (TestFileName.is(name)) {
                files++;
                count.add(0, 0, 0);
                count.idle(name + " is a file without a test in it");
            } else {
                count.add(1, 0, 0);
            }
        }

        /** A suite may claim failures that no test of it shows: they count all the same. */
        private Reading report() {
            count.add(0, 0, 0);
            count.passedAtMost(Math.max(0, passes - files));
            Tally tally = count.tally();
            if (tally != null && suitesClaim > 0 && !tally.failing()) {
                count.fault("a suite claims " + Count.many(suitesClaim, "failure"));
                tally = count.tally();
            }
            return tally == null
                    ? new Reading.Foreign()
                    : new Reading.Report(tally, skippedIn, Sha256.of(tests));
        }
    }
}
