package io.countersign.kernel.web;

import io.countersign.kernel.ProblemCode;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Problem details for requests that Tomcat refuses before the application sees them. */
final class ProblemValve extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        if (response.getStatus() < 400
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        ProblemCode code = Problems.ofStatus(response.getStatus());
        String body =
                """
                {"type":"urn:countersign:problem:%1$s","title":"%2$s","status":%3$d,"detail":"%2$s",\
                "code":"%1$s"}"""
                        .formatted(code.code(), code.title(), response.getStatus());
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            response.finishResponse();
        } catch (IOException gone) {
            getContainer().getLogger().debug("the caller is gone", gone);
        }
    }

    /** Puts the valve inside Boot's own, which then finds the error reported. */
    @Component
    static final class Customizer
            implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {
        @Override
        public void customize(TomcatServletWebServerFactory factory) {
            factory.addContextCustomizers(
                    context -> context.getParent().getPipeline().addValve(new ProblemValve()));
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }
}
