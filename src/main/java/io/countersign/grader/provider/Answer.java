package io.countersign.grader.provider;

import org.jspecify.annotations.Nullable;

/**
 * What a provider answered, read out of its wire format.
 *
 * @param text the answer itself, without the provider's reasoning parts; may be empty
 * @param model under which name the model answered; null when the response does not say
 * @param id the provider's own id of the response
 * @param incomplete why the model stopped before it was done; null when the text is whole
 * @param tokensIn as counted by the provider
 * @param tokensOut as counted by the provider
 */
public record Answer(
        String text,
        @Nullable String model,
        @Nullable String id,
        @Nullable String incomplete,
        @Nullable Integer tokensIn,
        @Nullable Integer tokensOut) {}
