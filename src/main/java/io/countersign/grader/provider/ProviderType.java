package io.countersign.grader.provider;

/** The wire formats. */
public enum ProviderType {
    /** Anthropic Messages. */
    ANTHROPIC("https://api.anthropic.com"),
    /** OpenAI chat completions, which most others speak too. */
    OPENAI("https://api.openai.com/v1");

    private final String address;

    ProviderType(String address) {
        this.address = address;
    }

    /** The vendor's own. */
    String address() {
        return address;
    }
}
