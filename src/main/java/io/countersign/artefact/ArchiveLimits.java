package io.countersign.artefact;

/**
 * What an archive, a mounted directory or the files of a request may unpack to.
 *
 * @param entries directories that no entry names count apart, up to the same number
 * @param unpacked bytes of file content; a hard link counts as a copy
 * @param ratio unpacked bytes per byte of the archive; not asked of the first mebibyte
 */
record ArchiveLimits(int entries, long unpacked, int ratio) {
    private static final long SMALL = 1L << 20;

    /** How many bytes an archive of this size may unpack to. */
    long unpackedFrom(long archiveBytes) {
        long byRatio =
                archiveBytes > unpacked / ratio ? unpacked : Math.max(SMALL, archiveBytes * ratio);
        return Math.min(unpacked, byRatio);
    }
}
