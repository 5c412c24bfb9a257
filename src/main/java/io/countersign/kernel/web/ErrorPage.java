package io.countersign.kernel.web;

import io.swagger.v3.oas.annotations.Hidden;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;

/** What the container reports outside of any controller (a refused URL, a filter that failed). */
@RestController
@Hidden
final class ErrorPage implements ErrorController {
    @RequestMapping("${spring.web.error.path:/error}")
    ResponseEntity<ProblemDetail> error(HttpServletRequest request) {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        Object failure = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        int code = status instanceof Integer number ? number : 404;
        // A body that broke off is an I/O failure too, but the caller's: the status says so.
        boolean brokeOff = failure instanceof IOException && code < 500;
        if (failure instanceof Exception exception && !brokeOff) {
            return ProblemHandler.answer(Problems.of(exception));
        }
        return ProblemHandler.answer(Problems.plain(Problems.ofStatus(code)));
    }
}
