package io.countersign.check;

import io.countersign.kernel.Sha256;

/**
 * One output stream as it may be stored and shown: bounded, scrubbed, without NUL and control
 * characters.
 *
 * @param text head and tail with the gap named between them
 * @param bytes how many the process wrote
 * @param truncated whether a part is missing
 * @param sha256 of the raw bytes
 */
public record CapturedText(String text, long bytes, boolean truncated, Sha256 sha256) {}
