package io.countersign.kernel.web;

import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotentRequest;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;

import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.Arrays;

/** What the door gives to controllers is not part of the contract; the key it reads is. */
@Configuration(proxyBeanMethods = false)
class OpenApiEdges {
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
}
