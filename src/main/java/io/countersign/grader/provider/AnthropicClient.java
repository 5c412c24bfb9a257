package io.countersign.grader.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;

/** Anthropic Messages. */
record AnthropicClient(Api api, Responses responses, int maxOutputTokens) implements ModelClient {
    private static final Set<String> WHOLE = Set.of("end_turn", "stop_sequence");

    @HttpExchange(accept = "application/json", contentType = "application/json")
    interface Api {
        @PostExchange("/v1/messages")
        ResponseEntity<byte[]> create(@RequestBody byte[] request);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Request(
            String model,
            @JsonProperty("max_tokens") int maxTokens,
            String system,
            List<Message> messages,
            @Nullable Double temperature,
            @JsonProperty("output_config") @Nullable OutputConfig outputConfig) {}

    record Message(String role, String content) {}

    record OutputConfig(Format format) {}

    record Format(String type, ReplySchema schema) {}

    @Override
    public Answer send(Question question, Form form) {
        Request request =
                new Request(
                        question.model(),
                        maxOutputTokens,
                        question.system(),
                        List.of(new Message("user", question.user())),
                        form.temperature() ? question.temperature() : null,
                        form.schema()
                                ? new OutputConfig(new Format("json_schema", ReplySchema.VERDICT))
                                : null);
        return read(responses.json(() -> api.create(Responses.bytes(request))));
    }

    private Answer read(JsonNode body) {
        JsonNode content = body.get("content");
        if (content == null || !content.isArray()) {
            throw ProviderFault.of(
                    ProviderFault.Kind.RESPONSE, "the response is not in the Messages format");
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            if (part.path("type").asString("").equals("text")) {
                text.append(part.path("text").asString(""));
            }
        }
        JsonNode usage = body.path("usage");
        return new Answer(
                responses.withoutSecret(text.toString()),
                responses.name(body.get("model")),
                responses.name(body.get("id")),
                Responses.incomplete(body.get("stop_reason"), WHOLE),
                Responses.number(usage.get("input_tokens")),
                Responses.number(usage.get("output_tokens")));
    }
}
