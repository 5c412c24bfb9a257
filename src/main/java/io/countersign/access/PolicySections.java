package io.countersign.access;

import io.countersign.kernel.PolicySection;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;

import org.springframework.stereotype.Component;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The members that a policy document may have; each is checked by the module that reads it. */
@Component
class PolicySections {
    private final Map<String, PolicySection> sections = new TreeMap<>();

    PolicySections(List<PolicySection> sections) {
        for (PolicySection section : sections) {
            if (this.sections.put(section.name(), section) != null) {
                throw new IllegalStateException(
                        "two modules own the policy section " + section.name());
            }
        }
    }

    /**
     * The document without members that are null, which say the same as absent ones.
     *
     * @throws ProblemException 422 that names every fault
     */
    ObjectNode check(JsonNode body) {
        if (!(body instanceof ObjectNode document)) {
            throw ProblemException.invalid("", "a policy is an object");
        }
        ObjectNode clean = document.objectNode();
        List<FieldError> faults = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : document.properties()) {
            PolicySection section = sections.get(member.getKey());
            if (section == null) {
                throw ProblemException.invalid(
                        ProblemCode.UNKNOWN_FIELD,
                        "/" + member.getKey(),
                        "is not a policy section; there are " + sections.keySet());
            }
            if (!member.getValue().isNull()) {
                clean.set(member.getKey(), member.getValue());
                section.validate(member.getValue()).stream()
                        .map(e -> new FieldError("/" + section.name() + e.pointer(), e.message()))
                        .forEach(faults::add);
            }
        }
        if (!faults.isEmpty()) {
            throw ProblemException.invalid(faults);
        }
        return clean;
    }

    /** Gives write-only members that the new document leaves out their stored values. */
    void keepSecrets(JsonNode stored, ObjectNode document) {
        for (JsonPointer secret : secrets()) {
            JsonNode value = stored.at(secret);
            boolean absent = document.at(secret) instanceof MissingNode;
            if (absent
                    && !value.isMissingNode()
                    && document.at(secret.head()) instanceof ObjectNode parent) {
                parent.set(secret.last().getMatchingProperty(), value);
            }
        }
    }

    /** The document as it may be shown. */
    ObjectNode visible(JsonNode document) {
        ObjectNode shown = (ObjectNode) document.deepCopy();
        for (JsonPointer secret : secrets()) {
            if (shown.at(secret.head()) instanceof ObjectNode parent) {
                parent.remove(secret.last().getMatchingProperty());
            }
        }
        return shown;
    }

    private List<JsonPointer> secrets() {
        return sections.values().stream()
                .flatMap(s -> s.writeOnly().stream().map(p -> "/" + s.name() + p))
                .map(JsonPointer::compile)
                .toList();
    }
}
