package io.countersign.artefact;

import org.jspecify.annotations.Nullable;

/**
 * One file of a change-set as a caller sends it; see {@link ChangeSetHash#read}.
 *
 * @param path relative to the workspace root
 * @param sha256 of its content in hex; null for a file that is deleted
 */
public record FileDigest(String path, @Nullable String sha256) {}
