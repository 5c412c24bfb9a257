package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

/**
 * A warning beside a verdict; it decides nothing.
 *
 * @param code one of the codes of {@code docs/api.md}, for example {@code tests-skipped}
 * @param path the file it is about, relative to the workspace root, if one
 * @param detail one line for people
 */
public record Finding(String code, @Nullable String path, String detail) {}
