package io.countersign.access;

import io.countersign.kernel.Caller;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** The caller in Spring Security's terms. The credential itself is not kept. */
final class CallerAuthentication extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1L;

    private final transient Caller caller;

    CallerAuthentication(Caller caller) {
        super(
                caller.roles().stream()
                        .map(role -> new SimpleGrantedAuthority("ROLE_" + role.wire()))
                        .toList());
        this.caller = caller;
        setAuthenticated(true);
    }

    @Override
    public Caller getPrincipal() {
        return caller;
    }

    @Override
    public String getCredentials() {
        return "";
    }

    @Override
    public String getName() {
        return caller.id();
    }
}
