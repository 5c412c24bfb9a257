package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;

import io.countersign.access.TokenReader.Reading;
import io.countersign.kernel.Caller;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Role;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

class OidcTokensTests {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final String MAIN = "refs/heads/main";

    private static LoopbackIssuer issuer;

    @BeforeAll
    static void start() {
        issuer = new LoopbackIssuer();
    }

    @AfterAll
    static void stop() {
        issuer.close();
    }

    /** What GitHub puts into a token, as far as it matters here. */
    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer.address())
                .audience("countersign")
                .subject("repo:acme/shop:ref:" + MAIN)
                .issueTime(Date.from(NOW.minusSeconds(10)))
                .notBeforeTime(Date.from(NOW.minusSeconds(10)))
                .expirationTime(Date.from(NOW.plusSeconds(300)))
                .claim("repository", "acme/shop")
                .claim("ref", MAIN)
                .claim("event_name", "push")
                .claim("run_id", "4242");
    }

    private static OidcRule github(String name, List<ClaimCondition> conditions) {
        return rule(name, conditions, true, Set.of());
    }

    private static OidcRule rule(
            String name, List<ClaimCondition> conditions, boolean github, Set<String> projects) {
        return new OidcRule(
                name,
                URI.create(issuer.address()),
                null,
                "countersign",
                github,
                conditions,
                null,
                null,
                null,
                Set.of(Role.CONSUMER, Role.ATTESTOR),
                Set.of("ci"),
                projects,
                null);
    }

    private static ClaimCondition is(String claim, String... values) {
        return new ClaimCondition(claim, List.of(values));
    }

    private static OidcTokens tokens(OidcRule... rules) {
        return new OidcTokens(
                new AccessProperties(null, List.of(rules)),
                JsonMapper.shared(),
                Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static OidcTokens onMain() {
        return tokens(github("gh", List.of(is("repository", "acme/shop"), is("ref", MAIN))));
    }

    private static Caller known(Reading reading) {
        assertThat(reading).isInstanceOf(Reading.Known.class);
        return ((Reading.Known) reading).caller();
    }

    private static String refused(Reading reading) {
        assertThat(reading).isInstanceOf(Reading.Refused.class);
        return ((Reading.Refused) reading).reason();
    }

    @Test
    void aGitHubActionsTokenIsACiPrincipalAnchoredInItsRun() {
        Caller caller = known(onMain().read(issuer.rs256(claims().build())));

        assertThat(caller.id()).isEqualTo("gh:acme/shop");
        assertThat(caller.kind()).isEqualTo(PrincipalKind.CI);
        assertThat(caller.anchorId()).isEqualTo("4242");
        assertThat(caller.anchorKinds()).containsExactly("ci");
        assertThat(caller.roles()).containsExactlyInAnyOrder(Role.CONSUMER, Role.ATTESTOR);
        assertThat(caller.projects()).containsExactly("acme/shop");
    }

    @Test
    void readsEllipticCurveSignaturesToo() {
        assertThat(known(onMain().read(issuer.es256(claims().build()))).id())
                .isEqualTo("gh:acme/shop");
    }

    @Test
    void refusesAnotherAudience() {
        assertThat(refused(onMain().read(issuer.rs256(claims().audience("other").build()))))
                .contains("aud");
        assertThat(refused(onMain().read(issuer.rs256(claims().audience((String) null).build()))))
                .contains("aud");
    }

    @Test
    void refusesATokenOutsideItsTimes() {
        Instant long_ago = NOW.minus(Duration.ofMinutes(5));
        List<UnaryOperator<JWTClaimsSet.Builder>> faults =
                List.of(
                        c -> c.expirationTime(Date.from(long_ago)),
                        c -> c.expirationTime(null),
                        c -> c.notBeforeTime(Date.from(NOW.plus(Duration.ofMinutes(5)))));

        for (UnaryOperator<JWTClaimsSet.Builder> fault : faults) {
            refused(onMain().read(issuer.rs256(fault.apply(claims()).build())));
        }
    }

    @Test
    void refusesASignatureByAnotherKey() throws JOSEException {
        RSAKey other = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        String forged = LoopbackIssuer.sign(JWSAlgorithm.RS256, "rsa-1", claims().build(), other);
        String unknown = LoopbackIssuer.sign(JWSAlgorithm.RS256, "rsa-9", claims().build(), other);

        assertThat(refused(onMain().read(forged))).contains("not valid");
        assertThat(refused(onMain().read(unknown))).contains("not valid");
    }

    @Test
    void refusesOneFlippedBit() {
        String good = issuer.rs256(claims().build());
        int payload = good.indexOf('.') + 20;
        char flipped = good.charAt(payload) == 'A' ? 'B' : 'A';
        String bad = good.substring(0, payload) + flipped + good.substring(payload + 1);

        refused(onMain().read(bad));
    }

    @Test
    void refusesATokenThatNobodySigned() {
        String none = new PlainJWT(claims().build()).serialize();

        refused(onMain().read(none));
    }

    @Test
    void refusesAnHmacWithThePublicKeyAsItsSecret() throws JOSEException {
        SignedJWT token =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(),
                        claims().build());
        token.sign(new MACSigner(issuer.rsa.toRSAPublicKey().getEncoded()));

        refused(onMain().read(token.serialize()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"repository", "ref", "run_id"})
    void refusesATokenWithoutAClaimThatIsNeeded(String claim) {
        assertThat(refused(onMain().read(issuer.rs256(claims().claim(claim, null).build()))))
                .contains(claim);
    }

    @ParameterizedTest
    @ValueSource(strings = {"refs/pull/12/merge", "refs/heads/main2", "refs/heads/mai", "MAIN"})
    void refusesAnotherRef(String ref) {
        refused(onMain().read(issuer.rs256(claims().claim("ref", ref).build())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme/shop2", "evil/shop", "acme", "acme/SHOP"})
    void refusesAnotherRepository(String repository) {
        refused(onMain().read(issuer.rs256(claims().claim("repository", repository).build())));
    }

    @Test
    void refusesAnotherIssuer() {
        assertThat(
                        refused(
                                onMain().read(
                                                issuer.rs256(
                                                        claims().issuer("https://evil.example")
                                                                .build()))))
                .contains("no issuer");
        refused(onMain().read(issuer.rs256(claims().issuer(null).build())));
    }

    @Test
    void theFirstRuleThatFitsCounts() {
        OidcTokens tokens =
                tokens(
                        github("main", List.of(is("repository", "acme/*"), is("ref", MAIN))),
                        github(
                                "tags",
                                List.of(is("repository", "acme/*"), is("ref", "refs/tags/v*"))));

        assertThat(known(tokens.read(issuer.rs256(claims().build()))).id()).startsWith("main:");
        assertThat(
                        known(
                                        tokens.read(
                                                issuer.rs256(
                                                        claims().claim("ref", "refs/tags/v1.2")
                                                                .build())))
                                .id())
                .isEqualTo("tags:acme/shop");
        assertThat(
                        refused(
                                tokens.read(
                                        issuer.rs256(
                                                claims().claim("ref", "refs/pull/1/merge")
                                                        .build()))))
                .contains("main (ref)", "tags (ref)");
    }

    @Test
    void aClaimCannotReachAllProjects() {
        OidcRule rule =
                new OidcRule(
                        "corp",
                        URI.create(issuer.address()),
                        null,
                        "countersign",
                        null,
                        List.of(is("groups", "builders")),
                        null,
                        null,
                        PrincipalKind.HUMAN,
                        Set.of(Role.READER),
                        Set.of(),
                        Set.of("acme/shop"),
                        "tenant");

        Caller caller =
                known(
                        tokens(rule)
                                .read(
                                        issuer.rs256(
                                                claims().claim("tenant", "*")
                                                        .claim(
                                                                "groups",
                                                                List.of("eaters", "builders"))
                                                        .build())));

        assertThat(caller.projects()).containsExactly("acme/shop");
        assertThat(caller.anchorId()).isNull();
    }

    @Test
    void leavesOtherTokensToOthers() {
        for (String token : List.of("dev-admin", "cs_abc", "a.b", "a.b.c.d", "a b.c.d")) {
            assertThat(onMain().read(token)).as(token).isInstanceOf(Reading.NotMine.class);
        }
        assertThat(tokens().read(issuer.rs256(claims().build())))
                .isInstanceOf(Reading.NotMine.class);
    }

    @Test
    void madeUpKeyIdsDoNotMakeItAsTheIssuerAgainAndAgain() throws JOSEException {
        RSAKey other = new RSAKeyGenerator(2048).keyID("x").generate();
        OidcTokens tokens = onMain();
        known(tokens.read(issuer.rs256(claims().build())));
        int before = issuer.jwksRequests.get();

        for (int i = 0; i < 20; i++) {
            String forged =
                    LoopbackIssuer.sign(
                            JWSAlgorithm.RS256, "made-up-" + i, claims().build(), other);
            try {
                refused(tokens.read(forged));
            } catch (ProblemException limited) {
                assertThat(limited.code().status()).isEqualTo(503);
            }
        }

        assertThat(issuer.jwksRequests.get() - before).isLessThanOrEqualTo(2);
        known(tokens.read(issuer.rs256(claims().build())));
    }

    @Test
    void anIssuerThatIsDownIsNotTheCallersFault() {
        LoopbackIssuer gone = new LoopbackIssuer();
        String address = gone.address();
        String token = gone.rs256(claims().issuer(address).build());
        gone.close();
        OidcRule rule =
                new OidcRule(
                        "gone",
                        URI.create(address),
                        null,
                        "countersign",
                        null,
                        List.of(),
                        null,
                        null,
                        null,
                        Set.of(Role.READER),
                        Set.of(),
                        Set.of("*"),
                        null);

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> tokens(rule).read(token))
                .satisfies(e -> assertThat(e.code().status()).isEqualTo(503));
    }
}
