package io.countersign.artefact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;

/** Digests of files as they lie on disk. */
final class FileDigests {
    private FileDigests() {}

    static void update(MessageDigest digest, Path file, byte[] buffer) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
    }
}
