package io.countersign.artefact;

/** One entry as an archive spells it; nothing of it is believed before {@link ArchiveRules}. */
sealed interface ArchiveEntry {
    String name();

    /**
     * @param mode the nine permission bits
     */
    record Directory(String name, int mode) implements ArchiveEntry {}

    /**
     * @param mode the nine permission bits
     */
    record RegularFile(String name, int mode) implements ArchiveEntry {}

    /**
     * @param target as the link holds it
     */
    record Symlink(String name, String target) implements ArchiveEntry {}

    /**
     * @param target the name of an earlier entry
     */
    record HardLink(String name, String target) implements ArchiveEntry {}
}
