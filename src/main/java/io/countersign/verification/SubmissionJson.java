package io.countersign.verification;

import io.countersign.dod.Check;
import io.countersign.dod.CheckJson;

import org.springframework.stereotype.Component;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import java.util.LinkedHashMap;
import java.util.Map;

/** The frozen forms of a submission and of its policy: what a worker on any replica reads back. */
@Component
class SubmissionJson {
    private final JsonMapper json;

    SubmissionJson(JsonMapper json) {
        SimpleModule checks = new SimpleModule("checks");
        checks.addSerializer(Check.class, new CheckWriter());
        checks.addDeserializer(Check.class, new CheckReader());
        this.json = json.rebuild().addModule(checks).build();
    }

    String write(Object frozen) {
        return json.writeValueAsString(frozen);
    }

    Submission submission(String text) {
        return json.readValue(text, Submission.class);
    }

    EffectivePolicy policy(String text) {
        return json.readValue(text, EffectivePolicy.class);
    }

    private static final class CheckWriter extends ValueSerializer<Check> {
        @Override
        public void serialize(Check check, JsonGenerator out, SerializationContext context) {
            Map<String, Object> members = new LinkedHashMap<>(CheckJson.members(check));
            members.put("line", check.line());
            out.writePOJO(members);
        }
    }

    private static final class CheckReader extends ValueDeserializer<Check> {
        @Override
        public Check deserialize(JsonParser in, DeserializationContext context) {
            return CheckJson.read(context.readTree(in));
        }
    }
}
