package io.countersign.audit;

import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Sha256;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * One write by a principal.
 *
 * @param project the project that it belongs to, or {@code _server}
 * @param action what was done, for example {@code key.created}
 * @param subject the id of what it was done to
 * @param requestId under which logs have it; empty outside a request
 * @param detail facts that explain it, an object
 */
record AuditEvent(
        UUID id,
        Instant at,
        String project,
        String principal,
        PrincipalKind principalKind,
        String action,
        String subject,
        String requestId,
        JsonNode detail) {
    AuditEvent {
        project = clean(project);
        principal = clean(principal);
        action = clean(action);
        subject = clean(subject);
        requestId = clean(requestId);
        detail = clean(detail);
    }

    /** The digest of everything above in canonical JSON: any edit of the row changes it. */
    Sha256 digest() {
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        row.put("id", id.toString());
        row.put("at", at.toString());
        row.put("project", project);
        row.put("principal", principal);
        row.put("principalKind", principalKind.name().toLowerCase(Locale.ROOT));
        row.put("action", action);
        row.put("subject", subject);
        row.put("requestId", requestId);
        row.set("detail", detail);
        return CanonicalJson.sha256(row);
    }

    /** What Postgres cannot store and canonical JSON refuses (NUL, lone surrogates) is replaced. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || (c >= 0xd800 && c <= 0xdfff) ? 0xfffd : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private static JsonNode clean(JsonNode node) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        if (node.isString()) {
            return make.stringNode(clean(node.stringValue()));
        }
        if (node.isArray()) {
            return make.arrayNode().addAll(node.valueStream().map(AuditEvent::clean).toList());
        }
        if (node.isObject()) {
            ObjectNode object = make.objectNode();
            node.properties().forEach(e -> object.set(clean(e.getKey()), clean(e.getValue())));
            return object;
        }
        return node;
    }
}
