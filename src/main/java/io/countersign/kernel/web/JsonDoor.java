package io.countersign.kernel.web;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Reads and writes JSON bodies and parts. What comes in is UTF-8, bounded, and free of NUL, which
 * Postgres cannot store: here is the one place that every text of a request passes.
 */
final class JsonDoor extends JacksonJsonHttpMessageConverter {
    private final long maxBytes;

    JsonDoor(JsonMapper mapper, long maxBytes) {
        super(mapper);
        this.maxBytes = maxBytes;
    }

    /** Texts and bytes are written as they are, by the converters made for them. */
    @Override
    public boolean canWrite(
            ResolvableType type, Class<?> valueClass, @Nullable MediaType mediaType) {
        return valueClass != String.class
                && valueClass != byte[].class
                && super.canWrite(type, valueClass, mediaType);
    }

    @Override
    public Object read(
            ResolvableType type, HttpInputMessage message, @Nullable Map<String, Object> hints)
            throws IOException {
        MediaType media = message.getHeaders().getContentType();
        if (media != null
                && media.getCharset() != null
                && !StandardCharsets.UTF_8.equals(media.getCharset())) {
            throw new ProblemException(
                    ProblemCode.UNSUPPORTED_MEDIA_TYPE, "JSON is read as UTF-8 here");
        }
        if (message.getHeaders().getContentLength() > maxBytes) {
            throw tooLarge(maxBytes);
        }
        InputStream guarded = new Guard(message.getBody(), maxBytes);
        return super.read(type, new Guarded(message.getHeaders(), guarded), hints);
    }

    private static ProblemException tooLarge(long maxBytes) {
        return new ProblemException(
                ProblemCode.TOO_LARGE, "the JSON of a request may have " + maxBytes + " bytes");
    }

    private record Guarded(HttpHeaders headers, InputStream body) implements HttpInputMessage {
        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return body;
        }
    }

    /** Counts bytes and looks for an escaped NUL: an odd number of backslashes before u0000. */
    private static final class Guard extends InputStream {
        private static final byte[] REST = {'u', '0', '0', '0', '0'};

        private final InputStream in;
        private final long maxBytes;
        private long seen;
        private boolean escaped;
        private int matched;

        Guard(InputStream in, long maxBytes) {
            this.in = in;
            this.maxBytes = maxBytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = in.read(buffer, offset, length);
            if (count > 0) {
                seen += count;
                if (seen > maxBytes) {
                    throw tooLarge(maxBytes);
                }
                for (int i = offset; i < offset + count; i++) {
                    inspect(buffer[i]);
                }
            }
            return count;
        }

        private void inspect(byte next) {
            if (next == 0) {
                throw new ProblemException(
                        ProblemCode.UNREADABLE_JSON, "JSON is UTF-8 here and has no zero byte");
            }
            if (!escaped) {
                escaped = next == '\\';
                return;
            }
            if (next == REST[matched]) {
                matched++;
                if (matched == REST.length) {
                    throw ProblemException.invalid("", "text with a NUL character is not accepted");
                }
                return;
            }
            // Any other escape, two backslashes among them, is over with this byte.
            escaped = matched > 0 && next == '\\';
            matched = 0;
        }
    }
}
