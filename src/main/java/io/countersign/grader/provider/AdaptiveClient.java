package io.countersign.grader.provider;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends the fullest form that a model takes. When it refuses a parameter the same question goes out
 * again without it, and the form is remembered for that model.
 */
final class AdaptiveClient {
    /** More refusals than there are optional parts would be a loop. */
    private static final int MAX_FORMS = 4;

    private final ModelClient client;
    private final Form fullest;
    private final Map<String, Form> learned = new ConcurrentHashMap<>();

    AdaptiveClient(ModelClient client, Form fullest) {
        this.client = client;
        this.fullest = fullest;
    }

    /** An answer and the form that brought it. */
    record Sent(Answer answer, Form form) {}

    /**
     * Asks until a form is taken.
     *
     * @param requests counts every HTTP request
     * @throws ProviderFault when there is no answer
     */
    Sent send(Question question, AtomicInteger requests) {
        Form form = learned.getOrDefault(question.model(), fullest);
        for (int tries = 1; ; tries++) {
            requests.incrementAndGet();
            try {
                return new Sent(client.send(question, form), form);
            } catch (ProviderFault fault) {
                Optional<Form> other = without(fault, form);
                if (other.isEmpty() || tries == MAX_FORMS) throw fault;
                form = other.get();
                learned.put(question.model(), form);
            }
        }
    }

    private static Optional<Form> without(ProviderFault fault, Form form) {
        if (!fault.refusesRequest()) return Optional.empty();
        String said = fault.reason().toLowerCase(Locale.ROOT);
        if (form.temperature() && said.contains("temperature")) {
            return Optional.of(form.withoutTemperature());
        }
        if (!form.completionTokens() && said.contains("max_completion_tokens")) {
            return Optional.of(form.withCompletionTokens());
        }
        boolean schema =
                said.contains("response_format")
                        || said.contains("output_config")
                        || said.contains("schema")
                        || said.contains("structured");
        return form.schema() && schema ? Optional.of(form.withoutSchema()) : Optional.empty();
    }
}
