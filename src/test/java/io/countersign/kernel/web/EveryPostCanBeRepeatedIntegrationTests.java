package io.countersign.kernel.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.IdempotentRequest;
import io.countersign.support.IntegrationTest;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** docs/api.md promises the Idempotency-Key for every POST that changes something. */
@IntegrationTest
class EveryPostCanBeRepeatedIntegrationTests {
    private static final Set<String> CHANGE_NOTHING =
            Set.of(
                    "/v1/attestations/query",
                    "/v1/bundles/seal",
                    "/v1/dod/infer",
                    "/v1/dod/parse",
                    "/v1/plans/lint",
                    "/v1/receipts/{id}/validate",
                    "/v1/runtime-evidence/validate");

    /** What is cancelled stays so: a repeat finds it, and answers how it stands. */
    private static final Set<String> REPEAT_BY_NATURE = Set.of("/v1/verifications/{id}/cancel");

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    RequestMappingHandlerMapping mappings;

    @Test
    void everyPostThatChangesSomethingTakesAnIdempotencyKey() {
        Set<String> deaf = new TreeSet<>();
        mappings.getHandlerMethods()
                .forEach(
                        (mapping, handler) -> {
                            if (mapping.getMethodsCondition()
                                            .getMethods()
                                            .contains(RequestMethod.POST)
                                    && !takesKey(handler)) {
                                deaf.addAll(mapping.getPatternValues());
                            }
                        });

        Set<String> allowed = new TreeSet<>(CHANGE_NOTHING);
        allowed.addAll(REPEAT_BY_NATURE);
        assertThat(deaf).isEqualTo(allowed);
    }

    private static boolean takesKey(HandlerMethod handler) {
        return Arrays.stream(handler.getMethodParameters())
                .anyMatch(p -> p.getParameterType() == IdempotentRequest.class);
    }
}
