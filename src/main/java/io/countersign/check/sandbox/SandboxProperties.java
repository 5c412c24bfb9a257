package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How commands are isolated and bounded on this server.
 *
 * @param backend {@code auto} takes bubblewrap where it works
 * @param required whether the service refuses to start without isolation; null is false in local
 *     mode and true in server mode
 * @param bindRoots directories below which a project's {@code sandbox.readOnlyBinds} must lie
 * @param uid the unprivileged user (and group) that commands run as when the service runs as root
 * @param cgroupRoot a cgroup directory that is delegated to the service; null looks for one
 * @param limits bounds of one command
 */
@ConfigurationProperties("countersign.sandbox")
public record SandboxProperties(
        @DefaultValue("auto") Backend backend,
        @Nullable Boolean required,
        @DefaultValue List<Path> bindRoots,
        @DefaultValue("61000") int uid,
        @Nullable Path cgroupRoot,
        @DefaultValue Bounds limits) {
    /** Which backend runs commands. */
    public enum Backend {
        AUTO,
        BUBBLEWRAP,
        PROCESS
    }

    /**
     * Bounds of one command beside its wall clock.
     *
     * @param memory resident memory of the whole process tree
     * @param processes processes and threads alive at once
     * @param fileSize the largest file that a command may write
     * @param keptOutput bytes kept of each output stream: half as head, half as tail
     * @param maxOutput bytes of output past which the command is killed
     */
    public record Bounds(
            @DefaultValue("4GB") DataSize memory,
            @DefaultValue("512") int processes,
            @DefaultValue("1GB") DataSize fileSize,
            @DefaultValue("8MB") DataSize keptOutput,
            @DefaultValue("1GB") DataSize maxOutput) {
        private static final String KEY = "countersign.sandbox.limits.";

        public Bounds {
            require(memory.toMegabytes() >= 16, KEY + "memory must be at least 16MB");
            require(processes >= 8, KEY + "processes must be at least 8");
            require(fileSize.toBytes() > 0, KEY + "file-size must be positive");
            require(
                    keptOutput.toBytes() >= 1024 && keptOutput.toMegabytes() <= 1024,
                    KEY + "kept-output must be 1KB to 1GB");
            require(maxOutput.toBytes() > 0, KEY + "max-output must be positive");
        }
    }

    public SandboxProperties {
        bindRoots = List.copyOf(bindRoots);
        require(
                bindRoots.stream().allMatch(Path::isAbsolute),
                "countersign.sandbox.bind-roots must be absolute paths");
        require(uid > 0, "countersign.sandbox.uid must be positive: commands never run as root");
    }

    private static void require(boolean condition, String message) {
        if (!condition) throw new IllegalArgumentException(message);
    }

    /** The bounds of a command with this wall-clock limit. */
    public Limits limits(Duration wall) {
        return new Limits(
                wall,
                Limits.cpuWithin(wall),
                limits.memory(),
                limits.processes(),
                limits.fileSize(),
                limits.keptOutput(),
                limits.maxOutput());
    }
}
