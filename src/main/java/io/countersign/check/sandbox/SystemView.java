package io.countersign.check.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of this host's file system that a command sees, read-only: the programs, and of the
 * settings only those that programs need. Where the service keeps its own files is never part of
 * it.
 */
final class SystemView {
    private static final List<String> TOP =
            List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec");

    /** Names below /etc; a star at the end stands for any rest. */
    private static final List<String> SETTINGS =
            List.of(
                    "alternatives",
                    "ca-certificates",
                    "crypto-policies",
                    "debian_version",
                    "fonts",
                    "java-*",
                    "ld.so.cache",
                    "ld.so.conf",
                    "ld.so.conf.d",
                    "localtime",
                    "maven",
                    "mime.types",
                    "os-release",
                    "pki",
                    "protocols",
                    "python3*",
                    "services",
                    "ssl",
                    "timezone");

    private static final Path ETC = Path.of("/etc");
    private static final Path OPT = Path.of("/opt");

    private final Path etc;
    private final List<String> arguments = new ArrayList<>();
    private final List<Path> roots = new ArrayList<>();

    private SystemView(Path etc) {
        this.etc = etc;
    }

    /**
     * @param etc becomes /etc inside; small files of the host's are copied into it, since every
     *     mount makes the start of a command slower, and directories are mounted over empty ones
     */
    static SystemView ofThisHost(Path etc) {
        var view = new SystemView(etc);
        view.bind(Path.of("/usr"));
        for (String name : TOP) view.addTop(Path.of("/", name));
        view.arguments.addAll(List.of("--ro-bind", etc.toString(), ETC.toString()));
        for (String name : SETTINGS) view.addSettings(name);
        for (Path directory : toolsInOpt()) view.bind(directory);
        return view;
    }

    /** Words for bubblewrap. */
    List<String> arguments() {
        return List.copyOf(arguments);
    }

    boolean shows(Path real) {
        return roots.stream().anyMatch(real::startsWith);
    }

    private void addTop(Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                String target = Files.readSymbolicLink(path).toString();
                arguments.addAll(List.of("--symlink", target, path.toString()));
            } else if (Files.isDirectory(path)) {
                bind(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    private void addSettings(String name) {
        try (DirectoryStream<Path> matches = Files.newDirectoryStream(ETC, name)) {
            for (Path match : matches) addSetting(match);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + ETC, e);
        }
    }

    private void addSetting(Path setting) throws IOException {
        Path inside = etc.resolve(setting.getFileName());
        if (Files.isDirectory(setting)) {
            Files.createDirectory(inside);
            bind(setting);
        } else if (isForEverybody(setting)) {
            Files.copy(setting, inside);
        }
    }

    /** The service may be root: what it can read is not what a command may. */
    private static boolean isForEverybody(Path file) throws IOException {
        return Files.isRegularFile(file)
                && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    }

    private void bind(Path path) {
        arguments.addAll(List.of("--ro-bind-try", path.toString(), path.toString()));
        roots.add(path);
    }

    /**
     * The directories of /opt that programs on the PATH link to, and JDKs. Not all of /opt: the
     * service itself may be installed there, with its settings.
     */
    private static Collection<Path> toolsInOpt() {
        Set<Path> tools = new TreeSet<>();
        for (String directory : List.of("/usr/local/bin", "/usr/bin", "/etc/alternatives")) {
            for (Path link : list(Path.of(directory))) addTarget(link, tools);
        }
        for (Path child : list(OPT)) {
            if (hasJava(child) || list(child).stream().anyMatch(SystemView::hasJava)) {
                tools.add(child);
            }
        }
        return tools;
    }

    private static void addTarget(Path link, Set<Path> tools) {
        if (!Files.isSymbolicLink(link)) return;
        try {
            Path real = link.toRealPath();
            if (real.startsWith(OPT) && real.getNameCount() > 2) {
                tools.add(OPT.resolve(real.getName(1)));
            }
        } catch (IOException e) {
            // A dangling link leads to no tool.
        }
    }

    private static boolean hasJava(Path directory) {
        return Files.isExecutable(directory.resolve("bin/java"));
    }

    private static List<Path> list(Path directory) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        } catch (IOException e) {
            return List.of();
        }
        return children;
    }
}
