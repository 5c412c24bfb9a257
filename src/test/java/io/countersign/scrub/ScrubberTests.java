package io.countersign.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;
import java.util.stream.IntStream;

class ScrubberTests {
    private static final String GITHUB = "gh" + "p_" + "a1B2".repeat(9);
    private static final String KEY_HEADER = "-----BEGIN " + "PRIVATE KEY-----";
    private static final String KEY_END = "-----END " + "PRIVATE KEY-----";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password: ${DB_PASSWORD}",
                "password: $DB_PASSWORD",
                "password: \"{{ vault_password }}\"",
                "password: <your password>",
                "password: ********",
                "password: string",
                "password: string | null;",
                "password?: string;",
                "password: Optional[str] = None",
                "String password = request.getParameter(\"password\");",
                "this.password = password;",
                "self.password = raw",
                "const { password } = req.body;",
                "password: process.env.PASSWORD ?? '',",
                "apiKey := os.Getenv(\"API_KEY\")",
                "token = os.environ[\"TOKEN\"]",
                "secret: crypto.randomBytes(32),",
                "accessToken = await login(user);",
                "\"password\": {\"type\": \"string\"}",
                "\"password\": \"string\"",
                "errors.password = \"Password must be 8 characters or more\";",
                "Authorization: `Bearer ${token}`",
                "headers.set('Authorization', 'Bearer ' + token)",
                "\"Authorization\": \"Bearer %s\"",
                "Authorization: Bearer <token>",
                "if (token === expectedToken) {",
                "tokenCount=17 token_type=bearer",
                "Unexpected token: } in JSON at position 42",
                "error: unexpected token: identifier",
                "api_key: missing",
                "password=/run/secrets/db_password",
                "PWD=/home/bob/shop",
                "docker run -u 1000:1000 -u node:node image",
                "https://user:${PASSWORD}@example.com/",
                "https://example.com:8443/a@b",
                "git@github.com:acme/shop.git",
                "sk-" + "learn-contrib-hdbscan-package-name",
                "task-runner and desk-proj are risk-free words; eyJustSaying",
                "usage: tokens=1500 prompt_tokens=900",
                "(password) => hash(password)",
                "password => encoder.encode(password)",
                "@Param password the password to check",
                "Set-Cookie: ${cookie}",
                "function login(user: string, password: string): Token {",
                "def login(user, password=None, token=token):",
                "List<Token> tokens = List.of();",
                "Map.of(\"token\", tokens)",
                "POSTGRES_PASSWORD: ${{ secrets.DB_PASSWORD }}",
                "secretKeyRef: {name: shop, key: password}",
                "password: !Ref DbPassword",
            })
    void leavesReferencesTypesAndNamesAlone(String line) {
        assertThat(Scrubber.scrub(line)).isEqualTo(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password: \"Tr0mb0ne\"",
                "password = Tr0mb0ne",
                "POSTGRES_PASSWORD=Tr0mb0ne",
                "POSTGRES_PASSWORD: Tr0mb0ne",
                "private final String password = \"Tr0mb0ne\";",
                "password: str = \"Tr0mb0ne\"",
                "password = f\"Tr0mb0ne\"",
                "{\\\"password\\\":\\\"Tr0mb0ne\\\"}",
                "<password>Tr0mb0ne</password>",
                "config['password'] = 'Tr0mb0ne'",
                ":password => 'Tr0mb0ne'",
                "password: |\n  Tr0mb0ne\nuser: bob",
                "machine example.com login bob password Tr0mb0ne",
                "psql --password Tr0mb0ne",
                "Authorization: Basic Tr0mb0ne",
                "Authorization: Token Tr0mb0ne",
                "\"authorization\": \"Bearer Tr0mb0ne\"",
                "Cookie: SID=Tr0mb0ne; theme=dark",
                "https://bob:Tr0mb0ne@example.com/x",
                "https:\\/\\/bob:Tr0mb0ne@example.com\\/x",
                "smb://bob:p@Tr0mb0ne@host/share",
                "-password: Tr0mb0ne",
                "+  password: Tr0mb0ne",
                "STRIPE_API_KEY=Tr0mb0ne",
                "DEPLOY_TOKEN: Tr0mb0ne",
                "client_secret=Tr0mb0ne&grant_type=x",
                "curl --user=bob:Tr0mb0ne example.com",
                "$env:DB_PASSWORD = 'Tr0mb0ne'",
                "pass\u0000word=Tr0mb0ne",
                "password=Tr0\u001b[1mmb0ne",
            })
    void hidesTheValueBesideASecretName(String line) {
        assertThat(Scrubber.scrub(line)).doesNotContain("mb0ne").contains(Scrubber.MARKER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"TOKEN_%s", "x%sx", "{\"t\":\"%s\"}", "%%22%s%%22", "value seen: %s (free)"})
    void findsATokenThatIsGluedToOtherText(String form) {
        assertThat(Scrubber.scrub(form.formatted(GITHUB))).doesNotContain("a1B2a1B2");
    }

    @Test
    void findsATokenThatAColourCodeOrABackspaceSplits() {
        String split = GITHUB.substring(0, 10) + "\u001b[0m\b" + GITHUB.substring(10);

        assertThat(Scrubber.scrub(split)).isEqualTo("[REDACTED]");
    }

    @Test
    void keepsWhatFollowsALoneKeyHeader() {
        String text = "header: " + KEY_HEADER + "\ncommit " + "3f78".repeat(10) + "\ndone\n";

        assertThat(Scrubber.scrub(text)).isEqualTo(text);
    }

    @Test
    void hidesAKeyThatWasCutOffBeforeItsEnd() {
        String line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

        String scrubbed = Scrubber.scrub(KEY_HEADER + "\n" + line + "\n" + line + "\n\nok then\n");

        assertThat(scrubbed).doesNotContain("VJTUt9Us").contains("ok then");
    }

    @Test
    void aKeyBlockHidesNoCodeFromAGrader() {
        String text = "/* " + KEY_HEADER + " */\nsystem(\"rm -rf /\");\n/* " + KEY_END + " */";

        assertThat(Scrubber.scrub(text)).isEqualTo(text);
    }

    @Test
    void staysIdempotentOnHostileText() {
        Random random = new Random(20260731);
        String[] pieces = {
            "password",
            "token",
            "=",
            ":",
            " ",
            "\"",
            "'",
            "\\",
            "\n",
            "Bearer ",
            "sk-",
            "gh" + "p_",
            "eyJ",
            ".",
            "a1B2c3D4e5F6g7H8i9J0",
            "://",
            "@",
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "-----END ",
            "\u001b[",
            "\u001b]",
            "31m",
            "\u0007",
            "[REDACTED]",
            "${",
            "}",
            "<",
            ">",
            "/",
            "&",
            ";",
            ",",
            "Cookie: ",
            "x",
            "9",
            "--",
            "Authorization: ",
            "\ud83d",
            "\ude00",
            "\u0000",
            "_",
            "|",
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj",
            "AKIA",
            "ABCDEFGHIJKLMNOP",
            "SG."
        };
        for (int round = 0; round < 8_000; round++) {
            StringBuilder text = new StringBuilder();
            IntStream.range(0, 2 + random.nextInt(24))
                    .forEach(i -> text.append(pieces[random.nextInt(pieces.length)]));
            String once = Scrubber.scrub(text.toString());
            assertThat(Scrubber.scrub(once)).as("seeded text %s", text).isEqualTo(once);
            assertThat(Clean.text(once)).isEqualTo(once);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sk-",
                "eyJ",
                "eyJhbGciOi.",
                "password=",
                "password='",
                "password=\"token:'",
                "://",
                "a:b@",
                "-----BEGIN ",
                "-----BEGIN PRIVATE KEY-----",
                "\u001b]",
                "\u001b[",
                "Bearer ",
                "Basic ",
                "-u a:",
                "Cookie: a=",
                "Authorization: Bearer ",
                "\\",
                "password ",
                "a",
                "password=${",
                "<password>",
                "hooks.slack.com/services/",
                "SG.",
                "cs_",
                "password: |\n"
            })
    @Timeout(60)
    void readsARepeatedPieceInLinearTime(String piece) {
        int times = 1024 * 1024 / piece.length();

        String scrubbed = Scrubber.scrub(piece.repeat(times) + "\n\n" + GITHUB);

        assertThat(scrubbed.contains("a1B2a1B2")).isFalse();
    }

    @Test
    @Timeout(60)
    void findsTheSecretInEightMebibytesOfOutput() {
        String line =
                "[INFO] password reset token=42 at src/auth/Token.java:17 key: value, ok=true\n";

        String scrubbed =
                Scrubber.scrub(line.repeat(8 * 1024 * 1024 / line.length()) + GITHUB + "\nend");

        assertThat(scrubbed).endsWith("ok=true\n[REDACTED]\nend");
        assertThat(scrubbed.length()).isGreaterThan(8 * 1024 * 1024 - 200);
    }
}
