package io.countersign.verification;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of Standard Webhooks: {@code v1,base64(HMAC-SHA256(id.timestamp.body))}. Pure. */
final class WebhookSignature {
    private static final String PREFIX = "whsec_";

    private WebhookSignature() {}

    /**
     * Signs a message.
     *
     * @param secret {@code whsec_} and base64, or any other text, whose UTF-8 bytes are the key
     * @param timestamp Unix time in seconds
     */
    static String sign(String secret, String id, long timestamp, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key(secret), "HmacSHA256"));
            String signed = id + "." + timestamp + "." + body;
            byte[] sum = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(sum);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    private static byte[] key(String secret) {
        if (secret.startsWith(PREFIX)) {
            try {
                return Base64.getDecoder().decode(secret.substring(PREFIX.length()));
            } catch (IllegalArgumentException e) {
                return secret.getBytes(StandardCharsets.UTF_8);
            }
        }
        return secret.getBytes(StandardCharsets.UTF_8);
    }
}
