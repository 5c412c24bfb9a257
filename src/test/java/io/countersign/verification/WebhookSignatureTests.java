package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WebhookSignatureTests {
    /** The example of the Standard Webhooks specification. */
    @Test
    void signsAsTheSpecificationsExample() {
        assertThat(
                        WebhookSignature.sign(
                                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                1614265330,
                                "{\"test\": 2432232314}"))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
