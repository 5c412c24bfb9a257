package io.countersign.kernel.web;

import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotentRequest;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;

import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import java.util.Arrays;
import java.util.List;

/**
 * What holds for every operation of the OpenAPI document: the bearer scheme, problem details, the
 * Idempotency-Key. What the door gives to controllers (the caller) is not part of the contract.
 */
@Configuration(proxyBeanMethods = false)
@Lazy
class OpenApiEdges {
    private static final String BEARER = "bearer";
    private static final String PROBLEM = "Problem";

    static {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(Caller.class, IdempotentRequest.class);
    }

    @Bean
    OperationCustomizer idempotencyKeyHeader() {
        return (operation, handler) -> {
            boolean idempotent =
                    Arrays.stream(handler.getMethodParameters())
                            .anyMatch(p -> p.getParameterType() == IdempotentRequest.class);
            if (idempotent) {
                operation.addParametersItem(
                        new HeaderParameter()
                                .name(BodyDigestFilter.HEADER)
                                .required(false)
                                .description(
                                        "Makes a repeat within 24 hours give the first answer.")
                                .schema(new StringSchema().maxLength(255)));
            }
            return operation;
        };
    }

    @Bean
    OperationCustomizer problemAnswers() {
        return (operation, handler) -> {
            Schema<?> problem = new Schema<>().$ref("#/components/schemas/" + PROBLEM);
            operation
                    .getResponses()
                    .setDefault(
                            new ApiResponse()
                                    .description("A problem, by RFC 9457")
                                    .content(
                                            new Content()
                                                    .addMediaType(
                                                            "application/problem+json",
                                                            new MediaType().schema(problem))));
            return operation;
        };
    }

    @Bean
    OpenApiCustomizer everyOperation() {
        return api -> {
            Components components =
                    api.getComponents() == null ? new Components() : api.getComponents();
            components.addSecuritySchemes(
                    BEARER,
                    new SecurityScheme()
                            .type(SecurityScheme.Type.HTTP)
                            .scheme("bearer")
                            .description("An API key, or a token of a known OIDC issuer"));
            components.addSchemas(PROBLEM, problem());
            api.components(components);
            api.security(List.of(new SecurityRequirement().addList(BEARER)));
        };
    }

    private static Schema<?> problem() {
        Schema<?> fault =
                new ObjectSchema()
                        .addProperty("pointer", new StringSchema())
                        .addProperty("message", new StringSchema());
        return new ObjectSchema()
                .description("Problem details; further members are facts that explain it")
                .addProperty(
                        "type", new StringSchema().example("urn:countersign:problem:not-found"))
                .addProperty("title", new StringSchema())
                .addProperty("status", new IntegerSchema())
                .addProperty("detail", new StringSchema())
                .addProperty("instance", new StringSchema())
                .addProperty("code", new StringSchema())
                .addProperty("errors", new ArraySchema().items(fault))
                .required(List.of("type", "title", "status", "detail", "code"));
    }
}
