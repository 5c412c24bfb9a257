package io.countersign.dod;

import java.util.regex.Pattern;

/** What a {@code deliverable:} is. */
public final class Deliverables {
    private static final Pattern EXTENSION = Pattern.compile("\\.[\\p{L}\\p{N}_-]+$");

    private Deliverables() {}

    /**
     * Whether a deliverable is a path, which must exist and not be empty, and no description: it
     * has no space, and a slash (or backslash) or an extension.
     */
    public static boolean isPath(String deliverable) {
        if (deliverable.codePoints().anyMatch(Text::isSpace)) return false;
        return deliverable.indexOf('/') >= 0
                || deliverable.indexOf('\\') >= 0
                || EXTENSION.matcher(deliverable).find();
    }
}
