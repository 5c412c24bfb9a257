package io.countersign.access;

import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import jakarta.annotation.security.RolesAllowed;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds every endpoint to the role that it states, before its body is read: a caller without the
 * role learns nothing about the body's form and cannot make the service unpack an upload. An
 * endpoint that states nothing lets nobody in.
 */
final class RoleGuard implements HandlerInterceptor {
    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        // An asynchronous answer comes back through here after its request was let in.
        if (request.getDispatcherType() != DispatcherType.ASYNC
                && handler instanceof HandlerMethod method
                && !isFramework(method.getBeanType())) {
            check(method, SecurityContextHolder.getContext().getAuthentication());
        }
        return true;
    }

    /** The error page, and the OpenAPI document, which the filter chain leaves open. */
    static boolean isFramework(Class<?> controller) {
        return ErrorController.class.isAssignableFrom(controller)
                || controller.getName().startsWith("org.springdoc.");
    }

    private static void check(HandlerMethod method, @Nullable Authentication caller) {
        CallerAuthentication known = caller instanceof CallerAuthentication c ? c : null;
        Demand demand =
                demand(method)
                        .orElseThrow(
                                () ->
                                        new ProblemException(
                                                ProblemCode.FORBIDDEN,
                                                "this endpoint states no role"));
        if (known == null) {
            if (!demand.equals(new Demand.Anybody(true))) {
                throw unauthenticated();
            }
            return;
        }
        switch (demand) {
            case Demand.AnyOf any -> demandRole(any.roles(), known);
            case Demand.Anybody anybody -> {}
        }
    }

    private static void demandRole(List<String> roles, CallerAuthentication caller) {
        Set<String> held =
                caller.getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .collect(Collectors.toSet());
        if (roles.stream().noneMatch(role -> held.contains("ROLE_" + role))) {
            String needed =
                    roles.size() == 1
                            ? "the role " + roles.getFirst()
                            : "one of the roles " + String.join(", ", roles);
            throw new ProblemException(
                            ProblemCode.FORBIDDEN,
                            "this needs " + needed + "; " + caller.getName() + " has not")
                    .with("requiredRoles", roles);
        }
    }

    /** What an endpoint demands; the method's own statement goes before its class's. */
    static Optional<Demand> demand(HandlerMethod method) {
        return Optional.ofNullable(stated(method, RolesAllowed.class))
                .<Demand>map(allowed -> new Demand.AnyOf(Arrays.asList(allowed.value())))
                .or(
                        () ->
                                Optional.ofNullable(stated(method, AnyCaller.class))
                                        .map(any -> new Demand.Anybody(any.orNobody())));
    }

    private static <A extends Annotation> @Nullable A stated(HandlerMethod method, Class<A> type) {
        A own = method.getMethodAnnotation(type);
        boolean other =
                method.hasMethodAnnotation(RolesAllowed.class)
                        || method.hasMethodAnnotation(AnyCaller.class);
        return own != null || other
                ? own
                : AnnotatedElementUtils.findMergedAnnotation(method.getBeanType(), type);
    }

    private static ProblemException unauthenticated() {
        return new ProblemException(
                ProblemCode.UNAUTHENTICATED, ProblemCode.UNAUTHENTICATED.title());
    }

    /** Who is let in. */
    sealed interface Demand {
        record AnyOf(List<String> roles) implements Demand {}

        record Anybody(boolean orNobody) implements Demand {}
    }
}
