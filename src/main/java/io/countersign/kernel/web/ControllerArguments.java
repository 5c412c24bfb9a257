package io.countersign.kernel.web;

import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;

import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.format.FormatterRegistry;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Lets a controller take the {@link Caller} and the {@link IdempotentRequest} as parameters, and
 * holds requests to the parameters that it states; times in them are read as {@link JsonSettings}
 * does in bodies.
 */
@Configuration(proxyBeanMethods = false)
class ControllerArguments implements WebMvcConfigurer {
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new CallerArgument());
        resolvers.add(new IdempotencyArgument());
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        // After the roles, which come first.
        registry.addInterceptor(new ParameterGuard()).order(Ordered.LOWEST_PRECEDENCE);
    }

    @Override
    public void addFormatters(FormatterRegistry formatters) {
        formatters.addConverter(String.class, Instant.class, SqlTime::parse);
    }

    private static @Nullable Caller currentCaller() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getPrincipal() instanceof Caller caller
                ? caller
                : null;
    }

    private static final class CallerArgument implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == Caller.class;
        }

        @Override
        public @Nullable Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer container,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders) {
            Caller caller = currentCaller();
            if (caller == null && !parameter.isOptional()) {
                throw Problems.plain(ProblemCode.UNAUTHENTICATED);
            }
            return caller;
        }
    }

    private static final class IdempotencyArgument implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == IdempotentRequest.class;
        }

        @Override
        public Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer container,
                NativeWebRequest web,
                @Nullable WebDataBinderFactory binders) {
            HttpServletRequest request =
                    Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
            Caller caller = currentCaller();
            if (caller == null) {
                throw Problems.plain(ProblemCode.UNAUTHENTICATED);
            }
            String key = request.getHeader(BodyDigestFilter.HEADER);
            if (key != null && !KEY.matcher(key).matches()) {
                throw ProblemException.invalid(
                        BodyDigestFilter.HEADER, "must be 1 to 255 printable ASCII characters");
            }
            String route = request.getMethod() + " " + request.getRequestURI();
            // Neither part has a space: see PrincipalRequest and OidcTokens.
            String anchor = caller.anchorId();
            String who = anchor == null ? caller.id() : caller.id() + " " + anchor;
            return new IdempotentRequest(who, route, key, () -> digest(caller, request));
        }

        private static Sha256 digest(Caller caller, HttpServletRequest request) {
            MessageDigest digest = Sha256.newDigest();
            update(digest, caller.projects().stream().sorted().toList().toString());
            update(digest, caller.roles().stream().sorted().toList().toString());
            update(digest, Objects.requireNonNullElse(request.getQueryString(), ""));
            String type = Objects.requireNonNullElse(request.getContentType(), "");
            if (type.regionMatches(true, 0, "multipart/", 0, 10)) {
                parts(digest, request);
            } else {
                digest.update(BodyDigestFilter.bodyDigest(request).bytes());
            }
            return Sha256.of(digest);
        }

        private static void parts(MessageDigest digest, HttpServletRequest request) {
            try {
                for (Part part : request.getParts()) {
                    update(digest, part.getName());
                    update(digest, Objects.requireNonNullElse(part.getContentType(), ""));
                    update(digest, Long.toString(part.getSize()));
                    try (InputStream in = new DigestInputStream(part.getInputStream(), digest)) {
                        in.transferTo(java.io.OutputStream.nullOutputStream());
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (ServletException e) {
                throw new ProblemException(
                        ProblemCode.UNREADABLE_REQUEST, "the multipart body is malformed");
            }
        }

        private static void update(MessageDigest digest, String text) {
            digest.update(text.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
    }
}
