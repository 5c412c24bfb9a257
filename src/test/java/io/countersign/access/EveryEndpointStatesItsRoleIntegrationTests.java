package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.Role;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@IntegrationTest
class EveryEndpointStatesItsRoleIntegrationTests {
    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    RequestMappingHandlerMapping mappings;

    @Autowired ServiceClient client;

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

    @Test
    void nobodyWithoutTheRoleGetsIn() {
        ServiceClient admin = client.as("dev-admin");
        Map<String, ServiceClient> byRole = new TreeMap<>();
        for (Role role : Role.values()) {
            String id = "only-" + role.wire();
            admin.put(
                    "/v1/principals/" + id,
                    "{\"kind\":\"service\",\"roles\":[\"%s\"],\"projects\":[\"*\"]}"
                            .formatted(role.wire()));
            String key = admin.post("/v1/principals/" + id + "/keys").at("/secret").asString();
            byRole.put(role.wire(), client.as(key));
        }

        assertThat(ours())
                .allSatisfy(
                        e -> {
                            RoleGuard.Demand demand = RoleGuard.demand(e.getValue()).orElseThrow();
                            if (!demand.equals(new RoleGuard.Demand.Anybody(true))) {
                                assertThat(status(client.anonymous(), e.getKey())).isEqualTo(401);
                            }
                            if (demand instanceof RoleGuard.Demand.AnyOf any) {
                                byRole.forEach(
                                        (role, caller) -> {
                                            if (!any.roles().contains(role)) {
                                                assertThat(status(caller, e.getKey()))
                                                        .as(role + " at " + e.getKey())
                                                        .isEqualTo(403);
                                            }
                                        });
                            }
                        });
    }

    /** An administrator of some projects changes none of what belongs to all of them. */
    @Test
    void administrationAsksForTheWholeService() {
        ServiceClient admin = client.as("dev-admin");
        String principal =
                "{\"kind\":\"human\",\"roles\":[\"admin\"],\"projects\":[\"acme/shop\"]}";
        admin.put("/v1/principals/admin-of-some", principal);
        ServiceClient some =
                client.as(admin.post("/v1/principals/admin-of-some/keys").at("/secret").asString());
        List<String> asked = new ArrayList<>();

        assertThat(ours())
                .filteredOn(
                        e ->
                                RoleGuard.demand(e.getValue())
                                        .equals(
                                                Optional.of(
                                                        new RoleGuard.Demand.AnyOf(
                                                                List.of("admin")))))
                .allSatisfy(
                        e -> {
                            String path =
                                    e.getKey()
                                            .getPatternValues()
                                            .iterator()
                                            .next()
                                            .replace("{keyId}", UUID.randomUUID().toString())
                                            .replaceAll("\\{[^/]*}", "x");
                            String method =
                                    e.getKey()
                                            .getMethodsCondition()
                                            .getMethods()
                                            .iterator()
                                            .next()
                                            .name();
                            String body =
                                    Set.of("/v1/principals", "/v1/principals/x").contains(path)
                                            ? principal.replace("{", "{\"id\":\"x\",")
                                            : "{}";
                            HttpRequest.Builder request =
                                    some.request(path)
                                            .header("Content-Type", "application/json")
                                            .method(
                                                    method,
                                                    HttpRequest.BodyPublishers.ofString(body));
                            assertThat(some.send(request).status())
                                    .as(method + " " + path)
                                    .isEqualTo(403);
                            asked.add(method + " " + path);
                        });
        assertThat(asked).contains("POST /v1/signing-keys/rotate", "GET /v1/signing-keys");
    }

    /** What a request without any body or parameter is answered. */
    private static int status(ServiceClient caller, RequestMappingInfo mapping) {
        String path = mapping.getPatternValues().iterator().next().replaceAll("\\{[^/]*}", "x");
        String method =
                mapping.getMethodsCondition().getMethods().stream()
                        .map(Enum::name)
                        .findFirst()
                        .orElse("GET");
        HttpRequest.Builder request =
                caller.request(path).method(method, HttpRequest.BodyPublishers.noBody());
        // A mapping is found only with a content type and an answer that it knows.
        mapping.getConsumesCondition().getConsumableMediaTypes().stream()
                .findFirst()
                .ifPresent(type -> request.header("Content-Type", type.toString()));
        mapping.getProducesCondition().getProducibleMediaTypes().stream()
                .findFirst()
                .ifPresent(type -> request.header("Accept", type.toString()));
        return caller.send(request).status();
    }

    private static boolean isOpen(String pattern) {
        String any = pattern.replaceAll("\\{[^/]*}", "*");
        return SecurityConfiguration.OPEN_READS.contains(any)
                || SecurityConfiguration.OPEN_POSTS.contains(any);
    }
}
