package io.countersign.decision;

import io.countersign.grader.IntentKeys;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** Seals what a judge may see: the artefact and evidence, without what the drafter meant. Pure. */
final class BundleSealer {
    static final String SCHEMA = "verify_gate.bundle.v1";

    private BundleSealer() {}

    /**
     * The bundle, its evidence in the given order.
     *
     * @throws ProblemException 422 when evidence is no list of objects, when the artefact is
     *     missing, or when a key bears the drafter's intent: such a bundle is refused, not stripped
     */
    static ObjectNode seal(@Nullable JsonNode artifact, @Nullable JsonNode evidence) {
        List<FieldError> errors = new ArrayList<>();
        if (artifact == null || artifact.isNull()) {
            errors.add(new FieldError("/artifact", "is missing: name what is judged"));
        }
        if (evidence == null || !evidence.isArray()) {
            errors.add(new FieldError("/evidence", "must be a list of objects"));
        } else {
            for (int i = 0; i < evidence.size(); i++) {
                if (!evidence.get(i).isObject()) {
                    errors.add(new FieldError("/evidence/" + i, "must be an object"));
                }
            }
        }
        if (artifact == null || evidence == null || !errors.isEmpty()) {
            throw ProblemException.invalid(errors);
        }
        ObjectNode bundle = JsonNodeFactory.instance.objectNode();
        bundle.put("schema", SCHEMA);
        bundle.set("artifact", artifact);
        bundle.set("evidence", evidence);
        refuseIntent(bundle);
        return bundle;
    }

    private static void refuseIntent(ObjectNode bundle) {
        List<String> found = IntentKeys.in(bundle);
        if (!found.isEmpty()) {
            throw ProblemException.invalid(
                            ProblemCode.INTENT_BEARING_KEY,
                            found.getFirst(),
                            "would tell a judge what to find: leave it out")
                    .with("pointers", found);
        }
    }
}
