package io.countersign.grader.provider;

/**
 * Which optional parts a request has. Models differ in what they refuse.
 *
 * @param temperature whether the temperature is sent
 * @param schema whether the reply's JSON schema is sent
 * @param completionTokens whether the output is bounded by {@code max_completion_tokens} in place
 *     of {@code max_tokens}
 */
record Form(boolean temperature, boolean schema, boolean completionTokens) {
    Form withoutTemperature() {
        return new Form(false, schema, completionTokens);
    }

    Form withoutSchema() {
        return new Form(temperature, false, completionTokens);
    }

    Form withCompletionTokens() {
        return new Form(temperature, schema, true);
    }
}
