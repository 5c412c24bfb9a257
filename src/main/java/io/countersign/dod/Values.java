package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values that are more than text. */
final class Values {
    private static final Pattern MIN = Pattern.compile("0{0,20}[1-9][0-9]{0,8}");
    private static final Pattern TIMEOUT =
            Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,12})?)(ms|s|m)");
    private static final Set<String> OUTCOMES = Set.of("success", "error", "missing");
    private static final Set<String> BOUNDARIES =
            Set.of("native", "code_mode_execution", "code_mode_finality");

    private Values() {}

    /** What the key asks for when the value is none of it; null when the value is well formed. */
    static @Nullable String fault(String key, String value) {
        return switch (key) {
            case "min" -> MIN.matcher(value).matches() ? null : "a whole number from 1";
            case "timeout" ->
                    timeout(value) == null ? "a positive number with ms, s or m, like 90s" : null;
            case "dialect" -> dialect(value) == null ? "shape, 2020-12 or draft-07" : null;
            case "outcome" -> OUTCOMES.contains(value) ? null : "success, error or missing";
            case "boundary" ->
                    BOUNDARIES.contains(value)
                            ? null
                            : "native, code_mode_execution or code_mode_finality";
            default -> null;
        };
    }

    static Check.@Nullable Dialect dialect(String value) {
        return Arrays.stream(Check.Dialect.values())
                .filter(dialect -> dialect.spelling().equals(value))
                .findFirst()
                .orElse(null);
    }

    /** A time of whole milliseconds, rounded up so that it stays positive. */
    static @Nullable Duration timeout(String value) {
        Matcher matcher = TIMEOUT.matcher(value);
        if (!matcher.matches()) return null;
        int unit =
                switch (matcher.group(2)) {
                    case "ms" -> 1;
                    case "s" -> 1_000;
                    default -> 60_000;
                };
        BigDecimal millis = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
        if (millis.signum() == 0) return null;
        return Duration.ofMillis(millis.setScale(0, RoundingMode.CEILING).longValueExact());
    }

    /** The time in the largest unit that divides it. */
    static String timeout(Duration value) {
        long millis = value.toMillis();
        if (millis % 60_000 == 0) return millis / 60_000 + "m";
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
