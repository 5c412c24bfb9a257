package io.countersign.kernel.web;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.RequestId;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

import java.net.URI;

/**
 * The one place where a failure becomes an answer: RFC 9457 problem details that tell the caller
 * what to mend and nothing about the inside of the service.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ProblemHandler {
    private static final Logger log = LoggerFactory.getLogger(ProblemHandler.class);
    private static final long RETRY_AFTER_SECONDS = 5;

    @ExceptionHandler(Exception.class)
    @Nullable ResponseEntity<ProblemDetail> handle(
            Exception failure, HttpServletResponse response) {
        if (failure instanceof AsyncRequestNotUsableException || response.isCommitted()) {
            log.debug("the caller is gone or the answer has begun", failure);
            return null;
        }
        ProblemException problem = Problems.of(failure);
        if (problem.code().status() >= 500) {
            log.error("request failed: {}", problem.code().code(), failure);
        }
        HttpHeaders headers = headers(problem);
        if (failure instanceof ErrorResponse known) {
            known.getHeaders().forEach(headers::addAll);
        }
        return answer(problem, headers);
    }

    static ResponseEntity<ProblemDetail> answer(ProblemException problem) {
        return answer(problem, headers(problem));
    }

    private static ResponseEntity<ProblemDetail> answer(
            ProblemException problem, HttpHeaders headers) {
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return ResponseEntity.status(problem.code().status())
                .headers(headers)
                .body(detail(problem));
    }

    private static ProblemDetail detail(ProblemException problem) {
        ProblemCode code = problem.code();
        ProblemDetail detail = ProblemDetail.forStatus(code.status());
        detail.setType(URI.create("urn:countersign:problem:" + code.code()));
        detail.setTitle(code.title());
        detail.setDetail(
                code == ProblemCode.INTERNAL
                        ? "The log of the service has it under request " + RequestId.current()
                        : problem.detail());
        detail.setProperty("code", code.code());
        if (!problem.errors().isEmpty()) {
            detail.setProperty("errors", problem.errors());
        }
        problem.facts().forEach(detail::setProperty);
        return detail;
    }

    private static HttpHeaders headers(ProblemException problem) {
        HttpHeaders headers = new HttpHeaders();
        int status = problem.code().status();
        if (status == 429 || status == 503) {
            Object asked = problem.facts().get("retryAfter");
            headers.set(
                    HttpHeaders.RETRY_AFTER,
                    String.valueOf(asked instanceof Number ? asked : RETRY_AFTER_SECONDS));
        }
        if (status == 401) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"countersign\"");
        }
        if (problem.code() == ProblemCode.FORBIDDEN) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer error=\"insufficient_scope\"");
        }
        return headers;
    }
}
