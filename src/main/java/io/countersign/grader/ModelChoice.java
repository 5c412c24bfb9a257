package io.countersign.grader;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.List;

/**
 * One entry of a tier: a model of a configured provider.
 *
 * @param model {@code provider/model}; the provider is what stands before the first slash
 * @param accepts RE2 patterns for the whole name under which the model may answer; empty takes the
 *     asked name, and the asked name followed by a dash and a date or revision of three digits or
 *     more (one or two digits name another model: {@code opus-4} is not {@code opus-4-1})
 */
public record ModelChoice(String model, @DefaultValue List<String> accepts) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*/\\S{1,200}");
    private static final String REVISION = "(-[0-9]{4}-[0-9]{2}-[0-9]{2}|-[0-9]{3,})?";

    public ModelChoice {
        if (!FORM.matches(model)) {
            throw new IllegalArgumentException("a model is written provider/model: " + model);
        }
        accepts = List.copyOf(accepts);
        for (String pattern : accepts) {
            try {
                Pattern.compile(pattern);
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "not a pattern for the answering model: " + pattern, e);
            }
        }
    }

    /** The choice that is written as plain {@code provider/model}. */
    public static ModelChoice of(String model) {
        return new ModelChoice(model.strip(), List.of());
    }

    /** The name of the configured provider. */
    @JsonIgnore
    public String provider() {
        return model.substring(0, model.indexOf('/'));
    }

    /** The model's name as the provider knows it. */
    @JsonIgnore
    public String name() {
        return model.substring(model.indexOf('/') + 1);
    }

    /** Whether an answer under this name comes from the model that was asked. */
    public boolean answeredBy(String answered) {
        if (accepts.isEmpty()) {
            return Pattern.matches(Pattern.quote(name()) + REVISION, answered);
        }
        return accepts.stream().anyMatch(pattern -> Pattern.matches(pattern, answered));
    }
}
