package io.countersign.kernel;

import java.math.BigDecimal;
import java.math.BigInteger;

/** ECMAScript's {@code Number::toString} (ECMA-262, 6.1.6.1.20), which RFC 8785 prescribes. */
final class EcmaNumber {
    private EcmaNumber() {}

    /** The shortest decimal form of a finite number that reads back as the same double. */
    static String format(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal shortest = shortest(Math.abs(value));
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        return (value < 0 ? "-" : "") + layOut(digits, point);
    }

    /**
     * Java's shortest form has two digits at least, ECMAScript's one: 4.9E-324 there is 5e-324
     * here.
     */
    private static BigDecimal shortest(double value) {
        BigDecimal java = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (java.precision() != 2) {
            return java;
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal down =
                new BigDecimal(java.unscaledValue().divide(BigInteger.TEN), java.scale() - 1);
        BigDecimal up = down.add(BigDecimal.ONE.scaleByPowerOfTen(1 - java.scale()));
        boolean downReads = down.doubleValue() == value;
        boolean upReads = up.doubleValue() == value;
        if (downReads && upReads) {
            return exact.subtract(down).compareTo(up.subtract(exact)) <= 0 ? down : up;
        }
        return downReads ? down : upReads ? up.stripTrailingZeros() : java;
    }

    /** Writes {@code 0.<digits> x 10^point}. */
    private static String layOut(String digits, int point) {
        int length = digits.length();
        if (length <= point && point <= 21) {
            return digits + "0".repeat(point - length);
        }
        if (0 < point && point <= 21) {
            return digits.substring(0, point) + "." + digits.substring(point);
        }
        if (-6 < point && point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        String exponent = (point > 1 ? "e+" : "e-") + Math.abs(point - 1);
        return length == 1
                ? digits + exponent
                : digits.charAt(0) + "." + digits.substring(1) + exponent;
    }
}
