package io.countersign.local;

import com.sun.security.auth.module.UnixSystem;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;
import org.tukaani.xz.XZInputStream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * PostgreSQL's programs, unpacked from the class path into a directory of our own: a shared
 * temporary directory would let another user of the machine put programs there for us to run.
 */
final class PostgresPrograms {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresPrograms.class);
    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
    private static final boolean LINUX =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");

    private final Path home;

    private PostgresPrograms(Path home) {
        this.home = home;
    }

    /**
     * Unpacks this platform's programs, unless they are there already.
     *
     * @throws LocalModeException when this build carries none for this platform
     */
    static PostgresPrograms unpack(Path directory) throws IOException {
        URL archive = PostgresPrograms.class.getResource("/" + archiveName());
        if (archive == null) {
            throw new LocalModeException(
                    "No database is named, and this build carries no PostgreSQL for this platform ("
                            + archiveName()
                            + ").",
                    "Set spring.datasource.url, spring.datasource.username and"
                            + " spring.datasource.password.");
        }
        // The size stands for the version: a new build's programs never mix with an old one's.
        String version = archiveName() + "-" + archive.openConnection().getContentLengthLong();
        Path home = directory.resolve(version);
        Path complete = home.resolve(".complete");
        if (!Files.exists(complete)) {
            LOG.info("unpacking PostgreSQL into {}", home);
            FileSystemUtils.deleteRecursively(directory);
            Files.createDirectories(home);
            try (InputStream bytes = archive.openStream()) {
                unpack(bytes, home);
            }
            Files.createFile(complete);
        }
        return new PostgresPrograms(home);
    }

    private static String archiveName() {
        String os = WINDOWS ? "windows" : LINUX ? "linux" : "darwin";
        String arch =
                switch (System.getProperty("os.arch", "")) {
                    case "aarch64", "arm64" -> WINDOWS ? "x86_64" : "arm_64";
                    default -> "x86_64";
                };
        return "postgres-" + os + "-" + arch + ".txz";
    }

    private static void unpack(InputStream bytes, Path home) throws IOException {
        try (var tar =
                new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(bytes)))) {
            for (TarArchiveEntry entry = tar.getNextEntry();
                    entry != null;
                    entry = tar.getNextEntry()) {
                Path target = home.resolve(entry.getName()).normalize();
                if (!target.startsWith(home)) {
                    throw new IOException("unexpected entry " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                    continue;
                }
                Files.createDirectories(target.resolveSibling("."));
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                    continue;
                }
                Files.copy(tar, target);
                if (!WINDOWS && (entry.getMode() & 0100) != 0) {
                    target.toFile().setExecutable(true);
                }
            }
        }
    }

    /**
     * Runs one program to its end.
     *
     * @param log takes its output
     * @return its exit code
     * @throws IOException when it cannot be run or takes longer than {@code limit}
     */
    int run(Path log, Duration limit, String program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            // PostgreSQL refuses to run as root; inside a user namespace of its own it is nobody,
            // while the files stay ours.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(home.resolve("bin").resolve(program + (WINDOWS ? ".exe" : "")).toString());
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return await(builder.start(), program, limit);
    }

    private static int await(Process process, String program, Duration limit) throws IOException {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new IOException(program + " did not end within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + program + " ran", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean isRoot() {
        return LINUX && new UnixSystem().getUid() == 0;
    }
}
