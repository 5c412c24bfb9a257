package io.countersign.access;

import io.countersign.kernel.Role;

import jakarta.servlet.DispatcherType;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.util.List;

/** Every request has a caller, but for the few addresses named here. No session, no CORS. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration implements WebMvcConfigurer {
    /** What is readable without a credential, beside health. */
    static final List<String> OPEN_READS =
            List.of(
                    "/.well-known/jwks.json",
                    "/v3/api-docs",
                    "/v3/api-docs.yaml",
                    "/v1/verifications/*/attestation");

    /** Reads with a body: a project may open its attestations to everybody. */
    static final List<String> OPEN_POSTS = List.of("/v1/attestations/query");

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new RoleGuard());
    }

    @Bean
    SecurityFilterChain security(
            HttpSecurity http,
            List<TokenReader> readers,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        var contexts = new RequestAttributeSecurityContextRepository();
        return http.csrf(AbstractHttpConfigurer::disable)
                .cors(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .securityContext(c -> c.securityContextRepository(contexts))
                .addFilterBefore(
                        new CredentialFilter(readers, contexts, problems),
                        AuthorizationFilter.class)
                .exceptionHandling(
                        e ->
                                e.authenticationEntryPoint(
                                                (request, response, failure) ->
                                                        problems.resolveException(
                                                                request, response, null, failure))
                                        .accessDeniedHandler(
                                                (request, response, failure) ->
                                                        problems.resolveException(
                                                                request, response, null, failure)))
                .authorizeHttpRequests(
                        requests ->
                                requests.dispatcherTypeMatchers(
                                                DispatcherType.ASYNC, DispatcherType.ERROR)
                                        .permitAll()
                                        .requestMatchers(EndpointRequest.to("health"))
                                        .permitAll()
                                        .requestMatchers(EndpointRequest.toAnyEndpoint())
                                        .hasAnyRole(Role.READER.wire(), Role.ADMIN.wire())
                                        .requestMatchers(
                                                HttpMethod.GET, OPEN_READS.toArray(String[]::new))
                                        .permitAll()
                                        .requestMatchers(
                                                HttpMethod.POST, OPEN_POSTS.toArray(String[]::new))
                                        .permitAll()
                                        .anyRequest()
                                        .authenticated())
                .build();
    }

    /** Spring's firewall, which also refuses NUL in parameters: Postgres cannot store it. */
    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowedParameterValues(value -> value.indexOf('\0') < 0);
        return firewall;
    }

    /** A request has a span and a timer of its own; one for each filter before it tells nobody. */
    @Bean
    SecurityObservationSettings noFilterObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /** Nobody logs in with a password; without this bean Boot would make a user and log one. */
    @Bean
    AuthenticationManager noPasswords() {
        return authentication -> {
            throw new BadCredentialsException("passwords are not used");
        };
    }
}
