package io.countersign.access;

import io.swagger.v3.oas.models.Operation;

import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

import java.util.List;

/** Writes into the OpenAPI document which roles an operation demands. */
@Component
@Lazy
final class OpenApiRoles implements OperationCustomizer {
    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        RoleGuard.demand(handler).ifPresent(demand -> state(operation, demand));
        return operation;
    }

    private static void state(Operation operation, RoleGuard.Demand demand) {
        switch (demand) {
            case RoleGuard.Demand.AnyOf any ->
                    operation.addExtension("x-required-roles", any.roles());
            case RoleGuard.Demand.Anybody anybody -> {
                if (anybody.orNobody()) {
                    operation.setSecurity(List.of());
                }
            }
        }
    }
}
