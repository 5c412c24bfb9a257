package io.countersign.check;

import org.jspecify.annotations.Nullable;

/** The commands that a workspace's own kind suggests; null where it suggests none. */
public record DefaultCommands(
        @Nullable String test, @Nullable String build, @Nullable String lint) {
    public static final DefaultCommands NONE = new DefaultCommands(null, null, null);
}
