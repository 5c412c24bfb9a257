package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class LocaleTests {
    /** Runs in the plain C locale, where Java names files in ASCII. */
    static final class PlainLocale {
        public static void main(String[] arguments) throws Exception {
            Path scratch = Files.createTempDirectory(Path.of(arguments[0]), "scratch");
            for (byte[] tar :
                    new byte[][] {
                        new RawTar().file("plain", "x").end(),
                        new RawTar().file("caf\u00e9", "x").end(),
                        new RawTar().symlink("l", "caf\u00e9").end()
                    }) {
                try {
                    System.out.println(Packing.check(scratch, tar, Packing.LIMITS));
                } catch (ProblemException e) {
                    System.out.println(e.code().code() + " " + e.detail());
                }
            }
        }
    }

    @Test
    void namesThatTheServersLocaleCannotStoreAreRefusedWithAHint(@TempDir Path temp)
            throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlainLocale.class.getName(),
                        temp.toString());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(output.lines().toList()).hasSize(3).first().isEqualTo("1");
        assertThat(output.lines().skip(1))
                .allSatisfy(
                        line ->
                                assertThat(line)
                                        .startsWith("archive-unsafe")
                                        .contains("has a name that this server cannot store")
                                        .endsWith("(LC_ALL=C.UTF-8)"));
    }
}
