package io.countersign.artefact;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.nio.file.Path;
import java.util.List;

/**
 * Where runs happen and what they may bring along.
 *
 * @param directory where each run gets its directory; {@code countersign-runs-<user>} below the
 *     system's temporary directory when it is not set. It must belong to the service's user alone
 * @param mountRoots absolute directories below which {@code workspace.mount} is allowed; none by
 *     default
 * @param maxArchive the largest archive that may be uploaded
 * @param maxUnpacked the most bytes that an archive, or a mounted directory, may unpack to
 * @param maxEntries the most files and directories in one archive
 * @param maxRatio how many times its own size an archive over 1 MiB may unpack to
 */
@ConfigurationProperties("countersign.workspaces")
record WorkspaceProperties(
        @Nullable Path directory,
        @DefaultValue List<Path> mountRoots,
        @DefaultValue("256MB") DataSize maxArchive,
        @DefaultValue("1GB") DataSize maxUnpacked,
        @DefaultValue("100000") int maxEntries,
        @DefaultValue("200") int maxRatio) {
    WorkspaceProperties {
        mountRoots = List.copyOf(mountRoots);
        for (Path root : mountRoots) {
            demand(root.isAbsolute(), "mount-roots", "must be absolute paths, not " + root);
        }
        demand(maxArchive.toBytes() > 0, "max-archive", "must be positive");
        demand(maxUnpacked.toBytes() > 0, "max-unpacked", "must be positive");
        demand(maxEntries > 0, "max-entries", "must be positive");
        demand(maxRatio > 0, "max-ratio", "must be positive");
    }

    private static void demand(boolean holds, String key, String message) {
        if (!holds) {
            throw new IllegalArgumentException("countersign.workspaces." + key + " " + message);
        }
    }

    ArchiveLimits limits() {
        return new ArchiveLimits(maxEntries, maxUnpacked.toBytes(), maxRatio);
    }

    /** The configured directory or the default one. */
    Path runsDirectory() {
        Path configured = directory;
        if (configured != null) {
            return configured.toAbsolutePath().normalize();
        }
        String user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9._-]", "_");
        return Path.of(System.getProperty("java.io.tmpdir"), "countersign-runs-" + user)
                .toAbsolutePath()
                .normalize();
    }
}
