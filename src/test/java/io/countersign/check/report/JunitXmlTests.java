package io.countersign.check.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.check.report.JunitXml.Reading;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;

class JunitXmlTests {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "surefire, 1, 2, 1",
        "pytest, 2, 2, 2",
        "node, 5, 1, 2",
        "node-file, 1, 0, 0",
        "node-empty, 0, 0, 0",
        "node-suites, 4, 0, 1",
        "vitest, 1, 1, 2",
        "vitest-no-suite, 0, 1, 0",
        "jest, 2, 1, 1"
    })
    void countsTheTestsOfARealReport(String file, int passed, int failed, int skipped)
            throws IOException {
        try (InputStream in =
                JunitXmlTests.class.getResourceAsStream("/reports/" + file + ".xml")) {
            Tally tally = report(Objects.requireNonNull(in)).tally();
            assertThat(tally.passed()).as("passed").isEqualTo(passed);
            assertThat(tally.failed()).as("failed").isEqualTo(failed);
            assertThat(tally.skipped()).as("skipped").isEqualTo(skipped);
        }
    }

    @Test
    void countsAFailureThatOnlyASuiteClaims() throws IOException {
        Tally tally = report("<testsuite tests='2' failures='1'><testcase name='a'/></testsuite>");
        assertThat(tally.failing()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, <testcase name='y'/>, 0, false",
        "1, <testcase name='y'/><testcase name='/w/a.test.js'/>, 0, false",
        "1, <testcase name='y'/><testcase name='t'/>, 1, false",
        "1, <testcase name='y'/><!-- fail 1 -->, 1, true",
        "1, <testcase name='y'/><!-- cancelled 1 -->, 1, true",
        "0, <testsuite><!-- pass 5 --><testcase name='y'/></testsuite>, 0, false"
    })
    void believesNoMoreThanTheCountsThatNodeWritesAsComments(
            int pass, String inside, int passed, boolean failing) throws IOException {
        Tally tally = report("<testsuites>" + inside + "<!-- pass " + pass + " --></testsuites>");
        assertThat(tally.passed()).isEqualTo(passed);
        assertThat(tally.failing()).isEqualTo(failing);
    }

    @Test
    void countsAnErrorOfASuiteItself() throws IOException {
        Tally tally =
                report(
                        "<testsuites><testsuite><error/><testcase name='a'/></testsuite></testsuites>");
        assertThat(tally.failing()).isTrue();
    }

    @Test
    void countsATestThatWasRerunUntilItPassedAsPassed() throws IOException {
        Tally tally =
                report("<testsuite><testcase name='a'><flakyFailure/></testcase></testsuite>");
        assertThat(tally.passed()).isOne();
        assertThat(tally.failing()).isFalse();
    }

    @Test
    void doesNotCountTestsThatWereNotRun() throws IOException {
        Tally tally =
                report(
                        "<testsuite><testcase name='a' status='notrun'/><testcase name='b'"
                                + " result='suppressed'/></testsuite>");
        assertThat(tally.run()).isZero();
        assertThat(tally.skipped()).isEqualTo(2);
    }

    @Test
    void namesTheFilesOfSkippedTests() throws IOException {
        Reading reading =
                read(
                        "<testsuite><testcase name='a' file='test/a.test.js'><skipped/></testcase>"
                                + "</testsuite>");
        assertThat(reading)
                .isInstanceOfSatisfying(
                        Reading.Report.class,
                        report -> assertThat(report.skippedIn()).containsExactly("test/a.test.js"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<checkstyle version='1'/>", "<html><body/></html>"})
    void saysNothingOfOtherXml(String xml) throws IOException {
        assertThat(read(xml)).isInstanceOf(Reading.Foreign.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not xml",
                "<testsuite>",
                "<testsuite><testcase name='a'></testsuite>",
                "<testsuite/><testsuite/>",
                "<testsuite>&undeclared;</testsuite>&",
                "<!DOCTYPE testsuite><testsuite/>",
                "<!DOCTYPE t [<!ENTITY a 'x'>]><testsuite><testcase name='&a;'/></testsuite>"
            })
    void refusesWhatCannotBeReadToItsEnd(String xml) throws IOException {
        assertThat(read(xml)).isInstanceOf(Reading.Broken.class);
    }

    @Test
    void fetchesNothing(@TempDir Path directory) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "<testcase name='s'/>");
        String xml =
                "<!DOCTYPE t [<!ENTITY a SYSTEM '%s'>]><testsuite>&a;</testsuite>"
                        .formatted(secret.toUri());
        assertThat(read(xml)).isInstanceOf(Reading.Broken.class);
    }

    @Test
    void doesNotExpandEntities() throws IOException {
        StringBuilder xml = new StringBuilder("<!DOCTYPE t [<!ENTITY a0 'lol'>");
        for (int i = 1; i < 12; i++) {
            String reference = "&a" + (i - 1) + ";";
            xml.append("<!ENTITY a%d '%s'>".formatted(i, reference.repeat(10)));
        }
        xml.append("]><testsuite name='&a11;'>&a11;</testsuite>");
        assertThat(read(xml.toString())).isInstanceOf(Reading.Broken.class);
    }

    @Test
    void stopsAtItsBound() throws IOException {
        InputStream start = bytes("<testsuite>");
        InputStream endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return ' ';
                    }

                    @Override
                    public int read(byte[] buffer, int offset, int length) {
                        java.util.Arrays.fill(buffer, offset, offset + length, (byte) ' ');
                        return length;
                    }
                };
        assertThat(JunitXml.read(new SequenceInputStream(start, endless)))
                .isEqualTo(new Reading.Broken("it is larger than 64 MiB"));
    }

    @Test
    void readsDeepNestingWithoutAStack() throws IOException {
        String xml = "<testsuite>".repeat(20_000) + "</testsuite>".repeat(20_000);
        assertThat(read(xml)).isNotInstanceOf(Reading.Foreign.class);
    }

    @Test
    void passesTheDisksOwnErrorsOn() {
        InputStream broken =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("disk");
                    }
                };
        assertThatThrownBy(() -> JunitXml.read(broken)).hasMessage("disk");
    }

    @Test
    void neverReadsACutReportAsWhole() throws IOException {
        String xml =
                "<?xml version='1.0'?><testsuites><testsuite><testcase name='a'/><testcase"
                        + " name='b'><failure>x</failure></testcase></testsuite></testsuites>";
        Random random = new Random(7);
        for (int i = 0; i < xml.length(); i++) {
            assertThat(read(xml.substring(0, i))).isInstanceOf(Reading.Broken.class);
            byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            assertThat(JunitXml.read(new ByteArrayInputStream(bytes))).isNotNull();
        }
    }

    private static Tally report(String xml) throws IOException {
        return report(bytes(xml)).tally();
    }

    private static Reading.Report report(InputStream xml) throws IOException {
        return (Reading.Report) JunitXml.read(xml);
    }

    private static Reading read(String xml) throws IOException {
        return JunitXml.read(bytes(xml));
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
