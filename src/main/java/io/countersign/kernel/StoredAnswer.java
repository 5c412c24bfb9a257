package io.countersign.kernel;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

import java.util.Map;

/**
 * An answer that can be given again.
 *
 * @param status HTTP status
 * @param headers the headers that belong to the answer, for example {@code Location}
 * @param body JSON; null for none
 * @param repeated whether this is a stored answer to an earlier request
 */
public record StoredAnswer(
        int status, Map<String, String> headers, @Nullable String body, boolean repeated) {
    public StoredAnswer {
        headers = Map.copyOf(headers);
    }

    /** A repeat says so in {@code Idempotency-Replayed}. */
    public ResponseEntity<String> toResponse() {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
        headers.forEach(response::header);
        if (repeated) {
            response.header("Idempotency-Replayed", "true");
        }
        return body == null
                ? response.build()
                : response.contentType(MediaType.APPLICATION_JSON).body(body);
    }
}
