package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.Role;
import io.countersign.support.IntegrationTest;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@IntegrationTest
class EveryEndpointStatesItsRoleIntegrationTests {
    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    RequestMappingHandlerMapping mappings;

    private Stream<Map.Entry<RequestMappingInfo, HandlerMethod>> ours() {
        return mappings.getHandlerMethods().entrySet().stream()
                .filter(e -> !RoleGuard.isFramework(e.getValue().getBeanType()));
    }

    @Test
    void noEndpointIsSilent() {
        assertThat(ours()).isNotEmpty();
        assertThat(ours())
                .filteredOn(e -> RoleGuard.demand(e.getValue()).isEmpty())
                .as("endpoints without @RolesAllowed or @AnyCaller")
                .isEmpty();
    }

    @Test
    void everyStatedRoleExists() {
        Set<String> known =
                Arrays.stream(Role.values()).map(Role::wire).collect(Collectors.toSet());

        assertThat(ours())
                .allSatisfy(
                        e -> {
                            if (RoleGuard.demand(e.getValue()).orElseThrow()
                                    instanceof RoleGuard.Demand.AnyOf any) {
                                assertThat(any.roles()).isNotEmpty();
                                assertThat(known).containsAll(any.roles());
                            }
                        });
    }

    @Test
    void onlyTheNamedAddressesAreOpen() {
        assertThat(ours())
                .filteredOn(
                        e ->
                                RoleGuard.demand(e.getValue())
                                        .equals(Optional.of(new RoleGuard.Demand.Anybody(true))))
                .allSatisfy(
                        e ->
                                assertThat(e.getKey().getPatternValues())
                                        .allMatch(
                                                EveryEndpointStatesItsRoleIntegrationTests
                                                        ::isOpen));
    }

    private static boolean isOpen(String pattern) {
        String any = pattern.replaceAll("\\{[^/]*}", "*");
        return SecurityConfiguration.OPEN_READS.contains(any)
                || SecurityConfiguration.OPEN_POSTS.contains(any);
    }
}
