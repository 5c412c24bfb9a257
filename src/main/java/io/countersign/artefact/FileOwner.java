package io.countersign.artefact;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Gives fresh files their mode and their owner, where the file system knows of either. */
final class FileOwner {
    /** Whether files have modes and numeric owners here. */
    static final boolean UNIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

    private final OptionalInt uid;

    private FileOwner(OptionalInt uid) {
        this.uid = uid;
    }

    /** The service's own user. */
    static FileOwner service() {
        return new FileOwner(OptionalInt.empty());
    }

    /**
     * @param uid empty for the service's own user
     */
    static FileOwner of(OptionalInt uid) {
        return new FileOwner(uid);
    }

    /** Sets the mode as it is, whatever the process's umask says, then the owner. */
    void take(Path path, int mode) throws IOException {
        if (UNIX) {
            Files.setAttribute(path, "unix:mode", mode);
        }
        take(path);
    }

    /** Sets the owner and the group of the same number; a symlink's own, not its target's. */
    void take(Path path) throws IOException {
        if (UNIX && uid.isPresent()) {
            Files.setAttribute(path, "unix:gid", uid.getAsInt(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:uid", uid.getAsInt(), LinkOption.NOFOLLOW_LINKS);
        }
    }
}
