package io.countersign.kernel;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A SHA-256 digest as 64 lower-case hexadecimal digits.
 *
 * @param hex the digits
 */
public record Sha256(@JsonValue String hex) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Sha256 {
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("a SHA-256 digest is 64 lower-case hex digits");
        }
    }

    public static Sha256 of(byte[] bytes) {
        return new Sha256(HexFormat.of().formatHex(newDigest().digest(bytes)));
    }

    /** The digest of the text's UTF-8 bytes. */
    public static Sha256 of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends {@code digest}, which must be a SHA-256 one. */
    public static Sha256 of(MessageDigest digest) {
        return new Sha256(HexFormat.of().formatHex(digest.digest()));
    }

    /**
     * Reads a digest that a caller sent, in any letter case.
     *
     * @throws ProblemException 422 that names {@code pointer}
     */
    public static Sha256 parse(String pointer, String hex) {
        try {
            return new Sha256(hex.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid(pointer, e.getMessage() + "");
        }
    }

    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return hex;
    }
}
