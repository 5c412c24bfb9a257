package io.countersign.kernel;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

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

    /**
     * The response; a repeat says so in {@code Idempotency-Replayed}.
     *
     * @param <T> what the body is, for the OpenAPI document: at run time it is the stored text,
     *     which is written as it stands, so that first answer and repeat are the same bytes
     */
    @SuppressWarnings("unchecked")
    public <T> ResponseEntity<T> toResponse() {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
        headers.forEach(response::header);
        if (repeated) {
            response.header("Idempotency-Replayed", "true");
        }
        if (body == null) {
            return response.build();
        }
        return (ResponseEntity<T>)
                (ResponseEntity<?>)
                        response.contentType(MediaType.APPLICATION_JSON).body(new Json(body));
    }

    private record Json(@JsonValue @JsonRawValue String text) {}
}
