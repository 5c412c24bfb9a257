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

/** OpenAI chat completions, as many other servers speak it too. */
record OpenAiClient(Api api, Responses responses, int maxOutputTokens) implements ModelClient {
    private static final Set<String> WHOLE = Set.of("stop", "end_turn", "eos", "stop_sequence");

    @HttpExchange(accept = "application/json", contentType = "application/json")
    interface Api {
        @PostExchange("/chat/completions")
        ResponseEntity<byte[]> create(@RequestBody byte[] request);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Request(
            String model,
            List<Message> messages,
            @Nullable Double temperature,
            @JsonProperty("max_tokens") @Nullable Integer maxTokens,
            @JsonProperty("max_completion_tokens") @Nullable Integer maxCompletionTokens,
            @JsonProperty("response_format") @Nullable ResponseFormat responseFormat) {}

    record Message(String role, String content) {}

    record ResponseFormat(String type, @JsonProperty("json_schema") Named jsonSchema) {}

    record Named(String name, boolean strict, ReplySchema schema) {}

    @Override
    public Answer send(Question question, Form form) {
        Request request =
                new Request(
                        question.model(),
                        List.of(
                                new Message("system", question.system()),
                                new Message("user", question.user())),
                        form.temperature() ? question.temperature() : null,
                        form.completionTokens() ? null : maxOutputTokens,
                        form.completionTokens() ? maxOutputTokens : null,
                        form.schema()
                                ? new ResponseFormat(
                                        "json_schema",
                                        new Named("verdict", true, ReplySchema.VERDICT))
                                : null);
        return read(responses.json(() -> api.create(Responses.bytes(request))));
    }

    private Answer read(JsonNode body) {
        JsonNode choices = body.path("choices");
        JsonNode message = choices.path(0).path("message");
        if (choices.size() != 1 || !message.isObject()) {
            throw ProviderFault.of(
                    ProviderFault.Kind.RESPONSE,
                    "the response is not one choice in the chat-completions format");
        }
        JsonNode usage = body.path("usage");
        return new Answer(
                responses.withoutSecret(content(message.path("content"))),
                responses.name(body.get("model")),
                responses.name(body.get("id")),
                incomplete(choices.path(0), message),
                Responses.number(usage.get("prompt_tokens")),
                Responses.number(usage.get("completion_tokens")));
    }

    private static @Nullable String incomplete(JsonNode choice, JsonNode message) {
        if (message.path("refusal").isString()) return "refusal";
        return Responses.incomplete(choice.get("finish_reason"), WHOLE);
    }

    /** A string, or a list of parts of which only the text ones are the answer. */
    private static String content(JsonNode content) {
        if (content.isString()) return content.stringValue();
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            if (part.path("type").asString("").equals("text")) {
                text.append(part.path("text").asString(""));
            }
        }
        return text.toString();
    }
}
