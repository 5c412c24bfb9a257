package io.countersign.kernel.web;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.enums.ParameterIn;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.servlet.HandlerInterceptor;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses query parameters and parts that the endpoint does not read, or that come twice: as with
 * the members of a body, a misspelt one never passes for a set one, be it a filter or the workspace
 * before the work. An endpoint names what it reads by {@link RequestParam}, {@link ModelAttribute}
 * (a record), {@link RequestPart}, or, where it reads the query by hand, in its {@link Operation}.
 */
final class ParameterGuard implements HandlerInterceptor {
    private final Map<Method, Names> known = new ConcurrentHashMap<>();

    /** What an endpoint reads. */
    private record Names(Set<String> parameters, Set<String> parts) {}

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getDispatcherType() == DispatcherType.REQUEST
                && handler instanceof HandlerMethod method
                && method.getBeanType().getName().startsWith("io.countersign.")) {
            Names names = known.computeIfAbsent(method.getMethod(), m -> names(method));
            check("?", "parameter", parameters(request.getQueryString()), names.parameters());
            if (!names.parts().isEmpty()) check("/", "part", parts(request), names.parts());
        }
        return true;
    }

    private static void check(String prefix, String what, List<String> given, Set<String> known) {
        Set<String> seen = new HashSet<>();
        for (String name : given) {
            if (!known.contains(name)) {
                throw ProblemException.invalid(
                        ProblemCode.UNKNOWN_FIELD,
                        prefix + name,
                        "is not a " + what + " of this request");
            }
            if (!seen.add(name)) throw ProblemException.invalid(prefix + name, "is given twice");
        }
    }

    /**
     * Read from the query itself: asking the container would make it read a form's body for more.
     */
    private static List<String> parameters(@Nullable String query) {
        List<String> names = new ArrayList<>();
        if (query == null) return names;
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) continue;
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            try {
                names.add(URLDecoder.decode(name, StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw new ProblemException(
                        ProblemCode.UNREADABLE_REQUEST, "the query has a broken percent escape");
            }
        }
        return names;
    }

    private static List<String> parts(HttpServletRequest request) {
        try {
            return request.getParts().stream().map(Part::getName).toList();
        } catch (IOException | ServletException | IllegalStateException e) {
            throw new MultipartException("cannot read the parts", e);
        }
    }

    private static Names names(HandlerMethod method) {
        Set<String> parameters = new HashSet<>();
        Set<String> parts = new HashSet<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            RequestParam one = parameter.getParameterAnnotation(RequestParam.class);
            RequestPart part = parameter.getParameterAnnotation(RequestPart.class);
            if (one != null) parameters.add(name(one.name(), parameter));
            if (part != null) parts.add(name(part.name(), parameter));
            if (parameter.hasParameterAnnotation(ModelAttribute.class)) {
                Arrays.stream(parameter.getParameterType().getRecordComponents())
                        .map(RecordComponent::getName)
                        .forEach(parameters::add);
            }
        }
        Operation operation = method.getMethodAnnotation(Operation.class);
        if (operation != null) {
            Arrays.stream(operation.parameters())
                    .filter(parameter -> parameter.in() == ParameterIn.QUERY)
                    .forEach(parameter -> parameters.add(parameter.name()));
        }
        return new Names(Set.copyOf(parameters), Set.copyOf(parts));
    }

    private static String name(String stated, MethodParameter parameter) {
        return stated.isEmpty() ? parameter.getParameter().getName() : stated;
    }
}
