package io.countersign.access;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

import java.io.IOException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Local mode answers to loopback names only: a web page whose name was rebound to 127.0.0.1 sends
 * its own name in {@code Host}, and with fixed keys nothing else would stop it.
 */
@Component
@ConditionalOnBooleanProperty("countersign.local.active")
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
final class HostFilter extends OncePerRequestFilter {
    private static final Pattern LOOPBACK =
            Pattern.compile(
                    "(localhost|[a-z0-9-]+\\.localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");

    private final HandlerExceptionResolver problems;

    HostFilter(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isLoopback(request.getHeader(HttpHeaders.HOST))) {
            chain.doFilter(request, response);
            return;
        }
        problems.resolveException(
                request,
                response,
                null,
                new ProblemException(
                        ProblemCode.MISDIRECTED_HOST,
                        "local mode answers to localhost and 127.0.0.1 only"));
    }

    static boolean isLoopback(@Nullable String host) {
        return host != null && LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }
}
