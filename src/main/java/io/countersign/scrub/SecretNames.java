package io.countersign.scrub;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the name before a value says about the value. */
final class SecretNames {
    enum Kind {
        /** An ordinary name. */
        NONE,
        /** The value is redacted when it looks like a secret: code has tokens of many sorts. */
        WEAK,
        /** The value is redacted whatever it looks like, unless it is a reference or a type. */
        STRONG,
        /** A header of a scheme and credentials. */
        AUTHORIZATION,
        /** A header of name and value pairs. */
        COOKIE
    }

    private static final int LONGEST = 64;

    private static final List<String> STRONG =
            List.of(
                    "password",
                    "passwd",
                    "passphrase",
                    "pwd",
                    "secret",
                    "apikey",
                    "secretkey",
                    "privatekey",
                    "accesskey",
                    "encryptionkey",
                    "signingkey",
                    "masterkey",
                    "accountkey",
                    "sessionkey",
                    "licensekey",
                    "authkey",
                    "accesstoken",
                    "refreshtoken",
                    "authtoken",
                    "idtoken",
                    "apitoken",
                    "bottoken",
                    "sessiontoken",
                    "securitytoken",
                    "bearertoken",
                    "secretkeybase",
                    "passwordconfirmation",
                    "storepass",
                    "keypass",
                    "requirepass",
                    "xamzsignature",
                    "xamzcredential");

    private static final Set<String> WORKING_DIRECTORY = Set.of("PWD", "OLDPWD");

    private SecretNames() {}

    /** The kind of the name from {@code start} to {@code end}, a run of word characters. */
    static Kind kindOf(String text, int start, int end) {
        String name = text.substring(Math.max(start, end - LONGEST), end);
        String joined = joined(name);
        if (joined.isEmpty() || WORKING_DIRECTORY.contains(name)) {
            return Kind.NONE;
        }
        if (joined.endsWith("authorization")) {
            return Kind.AUTHORIZATION;
        }
        if (joined.equals("cookie") || joined.equals("setcookie")) {
            return Kind.COOKIE;
        }
        if (STRONG.stream().anyMatch(joined::endsWith) || name.endsWith("_auth")) {
            return Kind.STRONG;
        }
        if (isCapitals(name)) {
            return ofEnvironment(name);
        }
        return isWeak(text, start, joined) ? Kind.WEAK : Kind.NONE;
    }

    private static Kind ofEnvironment(String name) {
        if (name.endsWith("TOKEN") || name.endsWith("_PASS") || name.endsWith("_PW")) {
            return Kind.STRONG;
        }
        return name.endsWith("_KEY") || name.endsWith("_CREDENTIALS") ? Kind.WEAK : Kind.NONE;
    }

    private static boolean isWeak(String text, int start, String joined) {
        char before = Text.at(text, start - 1);
        boolean inQuery = before == '?' || before == '&';
        return joined.endsWith("token")
                || joined.endsWith("credential")
                || joined.endsWith("credentials")
                || joined.equals("smtppass")
                || joined.equals("dbpass")
                || inQuery && (joined.equals("key") || joined.equals("sig"));
    }

    /** Whether the name is written as environment variables are. */
    static boolean isCapitals(String name) {
        return name.chars().noneMatch(c -> Text.isLower((char) c));
    }

    private static String joined(String name) {
        StringBuilder out = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            if (Text.isAlnum(name.charAt(i))) {
                out.append(name.charAt(i));
            }
        }
        int end = out.length();
        while (end > 0 && Text.isDigit(out.charAt(end - 1))) {
            end--;
        }
        return out.substring(0, end).toLowerCase(Locale.ROOT);
    }
}
