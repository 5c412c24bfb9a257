package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * What identifies a request that may be sent twice. Take it as a controller parameter and hand it
 * to {@link IdempotencyKeys#once}.
 *
 * @param principal the caller's id
 * @param route method and path
 * @param key the {@code Idempotency-Key}; null when the request has none
 * @param bodySha256 the digest of query and body (of the parts, for multipart), computed when asked
 */
public record IdempotentRequest(
        String principal, String route, @Nullable String key, Supplier<Sha256> bodySha256) {}
