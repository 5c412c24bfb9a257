package io.countersign.kernel.web;

import io.countersign.kernel.Ids;
import io.countersign.kernel.RequestId;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.util.regex.Pattern;

/** Gives every request an id, the caller's own when that is a plain word, and answers with it. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class RequestIdFilter extends OncePerRequestFilter {
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
    private static final String ATTRIBUTE = RequestIdFilter.class.getName();

    private final Ids ids;

    RequestIdFilter(Ids ids) {
        this.ids = ids;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String id = (String) request.getAttribute(ATTRIBUTE);
        if (id == null) {
            id = choose(request.getHeader(RequestId.HEADER));
            request.setAttribute(ATTRIBUTE, id);
            response.setHeader(RequestId.HEADER, id);
        }
        MDC.put(RequestId.MDC_KEY, id);
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove(RequestId.MDC_KEY);
        }
    }

    private String choose(@Nullable String asked) {
        return asked != null && SANE.matcher(asked).matches() ? asked : ids.next().toString();
    }
}
