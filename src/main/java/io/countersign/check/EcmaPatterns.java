package io.countersign.check;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** ECMAScript patterns, which JSON Schema uses, in RE2's spelling where the two differ. */
final class EcmaPatterns {
    private static final Pattern ESCAPE =
            Pattern.compile("\\\\(?:u\\{([0-9A-Fa-f]{1,6})}|u([0-9A-Fa-f]{4})|[\\s\\S])");

    private EcmaPatterns() {}

    /** Only code-point escapes are rewritten; what RE2 cannot do it refuses itself. */
    static String toRe2(String regex) {
        Matcher escape = ESCAPE.matcher(regex);
        StringBuilder out = new StringBuilder();
        while (escape.find()) {
            String hex = escape.group(1) != null ? escape.group(1) : escape.group(2);
            String replacement = hex == null ? escape.group() : "\\x{" + hex + "}";
            escape.appendReplacement(out, Matcher.quoteReplacement(replacement));
        }
        return escape.appendTail(out).toString();
    }
}
