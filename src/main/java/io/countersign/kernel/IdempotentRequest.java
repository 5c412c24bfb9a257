package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * What identifies a request that may be sent twice. Take it as a controller parameter and hand it
 * to {@link IdempotencyKeys#once}.
 *
 * @param caller the caller's id, and the anchor id that its credential proves: all runs of one CI
 *     workflow are the same principal
 * @param route method and path
 * @param key the {@code Idempotency-Key}; null when the request has none
 * @param sha256 the digest of query and body (of the parts, for multipart) and of the caller's
 *     projects and roles, computed when asked: who reaches less than before gets no stored answer
 */
public record IdempotentRequest(
        String caller, String route, @Nullable String key, Supplier<Sha256> sha256) {}
