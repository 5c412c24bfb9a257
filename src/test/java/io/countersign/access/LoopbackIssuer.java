package io.countersign.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** An OpenID issuer on this machine: discovery, a JWKS, and tokens signed by its keys. */
final class LoopbackIssuer implements AutoCloseable {
    final RSAKey rsa;
    final ECKey ec;
    final AtomicInteger jwksRequests = new AtomicInteger();
    private final HttpServer server;

    LoopbackIssuer() {
        try {
            rsa = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
            ec = new ECKeyGenerator(Curve.P_256).keyID("ec-1").generate();
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext(
                "/.well-known/openid-configuration",
                exchange ->
                        answer(
                                exchange,
                                "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/jwks\",\"other\":[1]}"
                                        .formatted(address(), address())));
        server.createContext(
                "/jwks",
                exchange -> {
                    jwksRequests.incrementAndGet();
                    answer(exchange, new JWKSet(List.<JWK>of(rsa, ec)).toString());
                });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String rs256(JWTClaimsSet claims) {
        return sign(JWSAlgorithm.RS256, "rsa-1", claims, rsa);
    }

    String es256(JWTClaimsSet claims) {
        return sign(JWSAlgorithm.ES256, "ec-1", claims, ec);
    }

    static String sign(JWSAlgorithm algorithm, String keyId, JWTClaimsSet claims, JWK key) {
        try {
            JWSSigner signer =
                    key instanceof RSAKey rsa
                            ? new RSASSASigner(rsa)
                            : new ECDSASigner(key.toECKey());
            SignedJWT token =
                    new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).build(), claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
