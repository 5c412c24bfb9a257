package io.countersign.access;

import io.countersign.access.TokenReader.Reading;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * Turns {@code Authorization: Bearer} into the caller. A request without the header goes on as
 * nobody; one whose credential is no good ends here, also where nobody would be let in.
 */
final class CredentialFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";
    private static final int LONGEST = 16 * 1024;

    private final List<TokenReader> readers;
    private final SecurityContextRepository contexts;
    private final HandlerExceptionResolver problems;

    CredentialFilter(
            List<TokenReader> readers,
            SecurityContextRepository contexts,
            HandlerExceptionResolver problems) {
        this.readers = List.copyOf(readers);
        this.contexts = contexts;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        List<String> headers = Collections.list(request.getHeaders(HttpHeaders.AUTHORIZATION));
        if (!headers.isEmpty()) {
            try {
                authenticate(caller(headers), request, response);
            } catch (RuntimeException refused) {
                problems.resolveException(request, response, null, refused);
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private void authenticate(
            Caller caller, HttpServletRequest request, HttpServletResponse response) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(new CallerAuthentication(caller));
        SecurityContextHolder.setContext(context);
        contexts.saveContext(context, request, response);
    }

    private Caller caller(List<String> headers) {
        String header = headers.getFirst();
        if (headers.size() != 1
                || header.length() > LONGEST
                || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw refused("send one Authorization header of the form: Bearer <key or token>");
        }
        String token = header.substring(SCHEME.length()).strip();
        for (TokenReader reader : readers) {
            switch (reader.read(token)) {
                case Reading.Known known -> {
                    return known.caller();
                }
                case Reading.Refused no -> throw refused(no.reason());
                case Reading.NotMine other -> {}
            }
        }
        throw refused("this key or token is not known here");
    }

    private static ProblemException refused(String reason) {
        return new ProblemException(ProblemCode.UNAUTHENTICATED, reason);
    }
}
