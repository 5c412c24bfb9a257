package io.countersign.access;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.ResourceRetriever;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The public keys of an issuer, fetched when the first token comes: an issuer that is down does not
 * keep the service from starting. Cached for five minutes; an unknown key id fetches them again, at
 * most twice in 30 s, so that made-up tokens cannot make this service a load on the issuer.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
    private static final int TIMEOUT_MS = 5_000;
    private static final int MOST_BYTES = 1 << 20;
    private static final long CACHED_MS = 300_000;
    private static final long APART_MS = 30_000;

    private final URI issuer;
    private final @Nullable URI jwksUri;
    private final JsonMapper json;
    private final ResourceRetriever http =
            new DefaultResourceRetriever(TIMEOUT_MS, TIMEOUT_MS, MOST_BYTES);
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable JWKSource<SecurityContext> keys;

    IssuerKeys(URI issuer, @Nullable URI jwksUri, JsonMapper json) {
        this.issuer = issuer;
        this.jwksUri = jwksUri;
        this.json = json;
    }

    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
            throws KeySourceException {
        return keys().get(selector, context);
    }

    private JWKSource<SecurityContext> keys() throws KeySourceException {
        JWKSource<SecurityContext> found = keys;
        if (found != null) {
            return found;
        }
        lock.lock();
        try {
            found = keys;
            if (found == null) {
                found = open();
                keys = found;
            }
            return found;
        } catch (IOException | IllegalArgumentException | JacksonException e) {
            throw new RemoteKeySourceException("the issuer's keys cannot be found", e);
        } finally {
            lock.unlock();
        }
    }

    private JWKSource<SecurityContext> open() throws IOException {
        URI address = jwksUri == null ? discover() : jwksUri;
        return JWKSourceBuilder.<SecurityContext>create(address.toURL(), http)
                .cache(CACHED_MS, 3L * TIMEOUT_MS)
                .refreshAheadCache(false)
                .rateLimited(APART_MS)
                .retrying(true)
                .build();
    }

    /** OpenID Connect discovery; the document must be the issuer's own. */
    private URI discover() throws IOException {
        String base = issuer.toString().replaceAll("/+$", "");
        URI address = URI.create(base + "/.well-known/openid-configuration");
        Configuration found = json.readValue(fetch(address), Configuration.class);
        if (!issuer.toString().equals(found.issuer())) {
            throw new IOException("the discovery document is of another issuer");
        }
        return URI.create(found.jwksUri());
    }

    private String fetch(URI address) throws IOException {
        return http.retrieveResource(address.toURL()).getContent();
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Configuration(String issuer, @JsonProperty("jwks_uri") String jwksUri) {}
}
