package io.countersign.grader.provider;

/** One wire format. */
interface ModelClient {
    /**
     * One request, one response.
     *
     * @throws ProviderFault when there is no answer in it
     */
    Answer send(Question question, Form form);
}
