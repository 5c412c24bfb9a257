package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** A tag that stands alone on its line. */
record Tag(Line line, String name, boolean opens) {
    static @Nullable Tag read(Line line) {
        if (line.end() - line.start() > "[/acceptance]".length()) return null;
        return switch (line.stripped().toLowerCase(Locale.ROOT)) {
            case "[acceptance]" -> new Tag(line, "acceptance", true);
            case "[dod]" -> new Tag(line, "dod", true);
            case "[/acceptance]" -> new Tag(line, "acceptance", false);
            case "[/dod]" -> new Tag(line, "dod", false);
            default -> null;
        };
    }

    String spelling() {
        return (opens ? "[" : "[/") + name + "]";
    }

    String partner() {
        return (opens ? "[/" : "[") + name + "]";
    }

    /** Why the tag is alone, with its line. */
    String loneReason() {
        return spelling()
                + (opens ? " is never closed" : " is never opened")
                + " (line "
                + line.number()
                + ")";
    }
}
