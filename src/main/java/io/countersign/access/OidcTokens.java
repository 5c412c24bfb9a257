package io.countersign.access;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTParser;

import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.stereotype.Component;

import tools.jackson.databind.json.JsonMapper;

import java.net.URI;
import java.text.ParseException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tokens of other issuers. The signature, the times and the issuer are checked once; then the first
 * rule whose audience and claims fit says who calls.
 */
@Component
@Order(4)
class OidcTokens implements TokenReader {
    private static final Logger log = LoggerFactory.getLogger(OidcTokens.class);
    private static final Pattern FORM =
            Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*");
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,160}");

    private final Map<String, List<OidcRule>> rules = new LinkedHashMap<>();
    private final Map<String, JwtDecoder> decoders = new LinkedHashMap<>();

    OidcTokens(AccessProperties properties, JsonMapper json, Clock clock) {
        for (OidcRule rule : properties.rules()) {
            String issuer = rule.issuer().toString();
            rules.computeIfAbsent(issuer, i -> new ArrayList<>()).add(rule);
            decoders.computeIfAbsent(issuer, i -> decoder(rule, json, clock));
        }
    }

    private static JwtDecoder decoder(OidcRule rule, JsonMapper json, Clock clock) {
        URI issuer = rule.issuer();
        JWKSource<SecurityContext> keys = new IssuerKeys(issuer, rule.jwksUri(), json);
        // Public keys only: with an HMAC algorithm the JWKS itself would be the secret.
        NimbusJwtDecoder decoder =
                NimbusJwtDecoder.withJwkSource(keys)
                        .jwsAlgorithms(all -> all.addAll(List.of(SignatureAlgorithm.values())))
                        .build();
        JwtTimestampValidator times = new JwtTimestampValidator();
        times.setAllowEmptyExpiryClaim(false);
        times.setClock(clock);
        decoder.setJwtValidator(
                new DelegatingOAuth2TokenValidator<>(
                        times, new JwtIssuerValidator(issuer.toString())));
        return decoder;
    }

    @Override
    public Reading read(String token) {
        if (rules.isEmpty() || !FORM.matcher(token).matches()) {
            return new Reading.NotMine();
        }
        String issuer = issuer(token);
        JwtDecoder decoder = issuer == null ? null : decoders.get(issuer);
        if (issuer == null || decoder == null) {
            return new Reading.Refused("no issuer that is known here made this token");
        }
        try {
            return fit(rules.getOrDefault(issuer, List.of()), decoder.decode(token));
        } catch (BadJwtException e) {
            return new Reading.Refused("this token is not valid: " + e.getMessage());
        } catch (JwtException e) {
            log.warn("the keys of {} cannot be had", issuer, e);
            throw new ProblemException(
                    ProblemCode.UNAVAILABLE, "the keys of the token's issuer cannot be had now");
        }
    }

    /** Whose token it says it is; only its signature will tell. */
    private static @Nullable String issuer(String token) {
        try {
            return JWTParser.parse(token).getJWTClaimsSet().getIssuer();
        } catch (ParseException e) {
            return null;
        }
    }

    private static Reading fit(List<OidcRule> rules, Jwt token) {
        List<String> misfits = new ArrayList<>();
        for (OidcRule rule : rules) {
            Optional<String> misfit = misfit(rule, token);
            if (misfit.isEmpty()) {
                return new Reading.Known(caller(rule, token));
            }
            misfits.add(rule.name() + " (" + misfit.get() + ")");
        }
        return new Reading.Refused("this token fits no rule: " + String.join(", ", misfits));
    }

    /** The first thing for which the rule does not take the token. */
    private static Optional<String> misfit(OidcRule rule, Jwt token) {
        if (token.getAudience() == null || !token.getAudience().contains(rule.audience())) {
            return Optional.of("aud");
        }
        Optional<String> condition =
                rule.claims().stream()
                        .filter(c -> !c.holds(token.getClaims().get(c.claim())))
                        .map(ClaimCondition::claim)
                        .findFirst();
        if (condition.isPresent()) {
            return condition;
        }
        if (!NAME.matcher(text(token, rule.nameClaim())).matches()) {
            return Optional.of(rule.nameClaim());
        }
        String anchor = rule.anchorClaim();
        return anchor != null && !NAME.matcher(text(token, anchor)).matches()
                ? Optional.of(anchor)
                : Optional.empty();
    }

    private static Caller caller(OidcRule rule, Jwt token) {
        Set<String> projects = new HashSet<>(rule.projects());
        String claim = rule.projectClaim();
        // A claim can name a project; it can never be the sign for all of them.
        if (claim != null && !text(token, claim).equals("*")) {
            projects.add(text(token, claim));
        }
        String anchor = rule.anchorClaim();
        return new Caller(
                rule.name() + ":" + text(token, rule.nameClaim()),
                rule.principalKind(),
                rule.roles(),
                rule.anchorKinds(),
                projects,
                null,
                null,
                anchor == null ? null : text(token, anchor));
    }

    private static String text(Jwt token, String claim) {
        Object value = token.getClaims().get(claim);
        return value instanceof String || value instanceof Number ? value.toString() : "";
    }
}
