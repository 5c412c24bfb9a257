package io.countersign.attestation;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.InvalidKeySpecException;
import java.util.Base64;

/** Finds the signing setting of this process, or fails the start with the property's name. */
@Configuration(proxyBeanMethods = false)
class KeySources {
    private static final String LOCAL_KEK = "signing.kek";

    @Bean
    KeySource keySource(
            SigningProperties properties,
            SecureRandom random,
            @Value("${countersign.local.active:false}") boolean local,
            @Value("${countersign.local.data-dir:.countersign}") Path dataDirectory) {
        if (properties.keyFile() != null) {
            return mounted(properties.keyFile());
        }
        if (properties.kek() != null) {
            return stored(KeyEncryption.parse("countersign.signing.kek", properties.kek()), random);
        }
        if (properties.kekFile() != null) {
            String text = read("countersign.signing.kek-file", properties.kekFile());
            return stored(KeyEncryption.parse("countersign.signing.kek-file", text), random);
        }
        if (!local) {
            throw new IllegalStateException(
                    "server mode signs what it says: set countersign.signing.kek (32 random bytes in"
                            + " base64), countersign.signing.kek-file or countersign.signing.key-file");
        }
        return stored(localKek(dataDirectory, random), random);
    }

    private static KeySource stored(byte[] kek, SecureRandom random) {
        return new KeySource.Stored(new KeyEncryption(kek, random));
    }

    static KeySource.Mounted mounted(Path file) {
        String pem = read("countersign.signing.key-file", file);
        String body = pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "").replaceAll("\\s", "");
        try {
            PrivateKey key = Ed25519.privateKey(Base64.getDecoder().decode(body));
            byte[] publicKey = Ed25519.publicKey(key);
            return new KeySource.Mounted(Ed25519.thumbprint(publicKey), publicKey, key);
        } catch (IllegalArgumentException | InvalidKeySpecException e) {
            throw new IllegalStateException(
                    "countersign.signing.key-file must be an Ed25519 private key in PEM (openssl"
                            + " genpkey -algorithm ed25519)",
                    e);
        }
    }

    private static String read(String setting, Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(setting + " cannot be read: " + file, e);
        }
    }

    /** Local mode keeps its key-encryption key beside the data, for the owner alone. */
    static byte[] localKek(Path directory, SecureRandom random) {
        Path file = directory.resolve(LOCAL_KEK);
        try {
            Files.createDirectories(directory);
            if (!Files.exists(file)) {
                create(file, random);
            }
            return KeyEncryption.parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the data directory cannot be used", e);
        }
    }

    /** Written beside and linked into place: another process sees a whole file or none. */
    private static void create(Path file, SecureRandom random) throws IOException {
        byte[] kek = new byte[KeyEncryption.KEY_BYTES];
        random.nextBytes(kek);
        Path directory = file.toAbsolutePath().getParent();
        Path fresh = Files.createTempFile(directory, LOCAL_KEK, ".new", ownerOnly(file));
        try {
            Files.writeString(fresh, Base64.getEncoder().encodeToString(kek) + "\n");
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            // Another process was faster; its key counts.
            return;
        } finally {
            Files.delete(fresh);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
