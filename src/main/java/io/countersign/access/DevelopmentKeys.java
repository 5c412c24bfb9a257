package io.countersign.access;

import static io.countersign.kernel.Role.ATTESTOR;
import static io.countersign.kernel.Role.CONSUMER;
import static io.countersign.kernel.Role.JUDGE;
import static io.countersign.kernel.Role.READER;
import static io.countersign.kernel.Role.REQUESTER;
import static io.countersign.kernel.Role.SUBMITTER;

import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Role;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The four fixed keys of local mode; key and principal have the same name. They are not in the
 * database, so that a data directory carries none of them into server mode.
 */
@Component
@ConditionalOnBooleanProperty("countersign.local.active")
@Order(1)
final class DevelopmentKeys implements TokenReader {
    private static final Map<String, Principal> PRINCIPALS =
            principals().stream().collect(Collectors.toMap(Principal::id, Function.identity()));

    DevelopmentKeys(@Value("${server.address:}") String address) {
        if (!isLoopback(address)) {
            throw new IllegalStateException(
                    "countersign.local.active gives out fixed keys and needs server.address to be a"
                            + " loopback address such as 127.0.0.1; it is '"
                            + address
                            + "'");
        }
    }

    @Override
    public Reading read(String token) {
        return find(token)
                .<Reading>map(principal -> new Reading.Known(principal.caller()))
                .orElseGet(Reading.NotMine::new);
    }

    Optional<Principal> find(String id) {
        return Optional.ofNullable(PRINCIPALS.get(id));
    }

    static boolean isLoopback(String address) {
        if (address.isBlank()) {
            return false;
        }
        try {
            InetAddress[] all = InetAddress.getAllByName(address);
            return Arrays.stream(all).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static List<Principal> principals() {
        return List.of(
                principal(
                        "dev-producer",
                        PrincipalKind.AGENT,
                        EnumSet.of(SUBMITTER, READER),
                        Set.of()),
                principal(
                        "dev-orchestrator",
                        PrincipalKind.ORCHESTRATOR,
                        EnumSet.of(REQUESTER, SUBMITTER, ATTESTOR, JUDGE, READER),
                        Set.of("harness_subagent", "stateless_api")),
                principal(
                        "dev-ci",
                        PrincipalKind.CI,
                        EnumSet.of(REQUESTER, SUBMITTER, ATTESTOR, CONSUMER, READER),
                        Set.of("ci")),
                principal(
                        "dev-admin",
                        PrincipalKind.HUMAN,
                        EnumSet.allOf(Role.class),
                        AnchorKind.GRANTABLE));
    }

    private static Principal principal(
            String id, PrincipalKind kind, Set<Role> roles, Set<String> anchorKinds) {
        return new Principal(id, kind, roles, anchorKinds, Set.of("*"), null, null);
    }
}
