package io.countersign.attestation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

class Ed25519Tests {
    private static final HexFormat HEX = HexFormat.of();
    private static final String PKCS8_PREFIX = "302e020100300506032b657004220420";
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The first three vectors of RFC 8032, 7.1. */
    @ParameterizedTest
    @CsvSource({
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
                + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,'',"
                + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                + "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
                + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,72,"
                + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e"
                + "458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,"
                + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,af82,"
                + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290"
                + "ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    })
    void agreesWithTheRfc(String seed, String publicKey, String message, String signature)
            throws Exception {
        PrivateKey key = Ed25519.privateKey(HEX.parseHex(PKCS8_PREFIX + seed));
        byte[] bytes = HEX.parseHex(message);

        assertThat(HEX.formatHex(Ed25519.publicKey(key))).isEqualTo(publicKey);
        assertThat(HEX.formatHex(Ed25519.sign(key, bytes))).isEqualTo(signature);
        assertThat(Ed25519.verify(HEX.parseHex(publicKey), bytes, HEX.parseHex(signature)))
                .isTrue();
    }

    /** RFC 8037, appendix A.3. */
    @Test
    void namesAKeyByItsThumbprint() {
        byte[] key = Base64.getUrlDecoder().decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");

        assertThat(Ed25519.thumbprint(key))
                .isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    @Test
    void oneFlippedBitAnywhereDoesNotVerify() {
        Ed25519.Pair pair = Ed25519.generate(RANDOM);
        byte[] message = "statement".getBytes(StandardCharsets.UTF_8);
        byte[] signature = Ed25519.sign(pair.privateKey(), message);

        for (int bit = 0; bit < signature.length * 8; bit++) {
            assertThat(Ed25519.verify(pair.publicKey(), message, flipped(signature, bit)))
                    .isFalse();
        }
        for (int bit = 0; bit < message.length * 8; bit++) {
            assertThat(Ed25519.verify(pair.publicKey(), flipped(message, bit), signature))
                    .isFalse();
        }
        for (int bit = 0; bit < pair.publicKey().length * 8; bit++) {
            assertThat(Ed25519.verify(flipped(pair.publicKey(), bit), message, signature))
                    .isFalse();
        }
        assertThat(Ed25519.verify(pair.publicKey(), message, new byte[3])).isFalse();
        assertThat(Ed25519.verify(new byte[3], message, signature)).isFalse();
    }

    @Test
    void keysOfManySeedsKeepTheirPublicHalf() throws Exception {
        for (int i = 0; i < 200; i++) {
            Ed25519.Pair pair = Ed25519.generate(RANDOM);
            PrivateKey read = Ed25519.privateKey(pair.privateKey().getEncoded());

            assertThat(Ed25519.publicKey(read)).isEqualTo(pair.publicKey());
        }
    }

    /** The example of the DSSE specification. */
    @Test
    void encodesBeforeSigningAsDsseSays() {
        byte[] pae =
                Dsse.pae(
                        "http://example.com/HelloWorld",
                        "hello world".getBytes(StandardCharsets.UTF_8));

        assertThat(new String(pae, StandardCharsets.UTF_8))
                .isEqualTo("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    @Test
    void lengthsAreCountedInBytes() {
        assertThat(
                        new String(
                                Dsse.pae("\u00e9", "\u20ac".getBytes(StandardCharsets.UTF_8)),
                                StandardCharsets.UTF_8))
                .isEqualTo("DSSEv1 2 \u00e9 3 \u20ac");
    }

    @Test
    void anEncryptedKeyIsReadOnlyByItsKekForItsId() {
        KeyEncryption encryption = new KeyEncryption(new byte[32], RANDOM);
        byte[] secret = {1, 2, 3};
        byte[] sealed = encryption.encrypt("k1", secret);
        byte[] otherKek = new byte[32];
        otherKek[0] = 1;

        assertThat(encryption.decrypt("k1", sealed)).isEqualTo(secret);
        assertThat(encryption.encrypt("k1", secret)).isNotEqualTo(sealed);
        assertThatIllegalStateException()
                .isThrownBy(() -> encryption.decrypt("k2", sealed))
                .withMessageContaining("countersign.signing.kek");
        assertThatIllegalStateException()
                .isThrownBy(() -> new KeyEncryption(otherKek, RANDOM).decrypt("k1", sealed));
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] changed = flipped(sealed, bit);
            assertThatIllegalStateException().isThrownBy(() -> encryption.decrypt("k1", changed));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "AAAA", "not base64!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="})
    void aKekOfAnotherSizeNamesItsProperty(String kek) {
        assertThatIllegalStateException()
                .isThrownBy(() -> KeyEncryption.parse("countersign.signing.kek", kek))
                .withMessageContaining("countersign.signing.kek");
    }

    @Test
    void localModeKeepsOneKekForItsOwner(@TempDir Path directory) throws IOException {
        byte[] first = KeySources.localKek(directory, RANDOM);

        assertThat(KeySources.localKek(directory, RANDOM)).isEqualTo(first);
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(directory.resolve("signing.kek"))))
                .isEqualTo("rw-------");
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void serverModeDoesNotStartWithoutASigningSetting(@TempDir Path directory) {
        SigningProperties none = new SigningProperties(null, null, null, "urn:x:verifier");

        assertThatIllegalStateException()
                .isThrownBy(() -> new KeySources().keySource(none, RANDOM, false, directory))
                .withMessageContaining("countersign.signing.kek");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void readsAMountedKeyInPem(@TempDir Path directory) throws IOException {
        Ed25519.Pair pair = Ed25519.generate(RANDOM);
        String body = Base64.getMimeEncoder().encodeToString(pair.privateKey().getEncoded());
        Path file = directory.resolve("key.pem");
        Files.writeString(
                file,
                "-----BEGIN " + "PRIVATE KEY-----\n" + body + "\n-----END " + "PRIVATE KEY-----\n");

        assertThat(KeySources.mounted(file).publicKey()).isEqualTo(pair.publicKey());
        Files.writeString(file, "nonsense");
        assertThatIllegalStateException()
                .isThrownBy(() -> KeySources.mounted(file))
                .withMessageContaining("countersign.signing.key-file");
    }

    private static byte[] flipped(byte[] bytes, int bit) {
        byte[] changed = Arrays.copyOf(bytes, bytes.length);
        changed[bit / 8] ^= (byte) (1 << bit % 8);
        return changed;
    }
}
