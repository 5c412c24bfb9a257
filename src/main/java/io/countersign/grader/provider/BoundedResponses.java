package io.countersign.grader.provider;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Reads no more of a response than allowed, after unpacking: a small body can unpack to a large
 * one. Closing abandons what was not read instead of draining it, which could take for ever.
 *
 * @param maxBytes of the unpacked body
 */
record BoundedResponses(long maxBytes) implements ClientHttpRequestInterceptor {
    /** The response went on past the bound. */
    static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public ClientHttpResponse intercept(
            HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        return new Bounded(execution.execute(request, body), maxBytes);
    }

    private static final class Bounded implements ClientHttpResponse {
        private final ClientHttpResponse response;
        private final InputStream raw;
        private final InputStream body;

        Bounded(ClientHttpResponse response, long maxBytes) throws IOException {
            this.response = response;
            this.raw = response.getBody();
            this.body = new Limited(new Unpacked(raw, response.getHeaders()), maxBytes);
        }

        @Override
        public HttpStatusCode getStatusCode() throws IOException {
            return response.getStatusCode();
        }

        @Override
        public String getStatusText() throws IOException {
            return response.getStatusText();
        }

        @Override
        public HttpHeaders getHeaders() {
            return response.getHeaders();
        }

        @Override
        public InputStream getBody() {
            return body;
        }

        @Override
        public void close() {
            try {
                raw.close();
            } catch (IOException e) {
                // The exchange is over either way.
            }
        }
    }

    /** A server may pack although nobody asked; the packed header is read only when needed. */
    private static final class Unpacked extends InputStream {
        private final InputStream raw;
        private final boolean packed;
        private InputStream in;

        Unpacked(InputStream raw, HttpHeaders headers) {
            this.raw = raw;
            this.in = raw;
            String encoding = headers.getFirst(HttpHeaders.CONTENT_ENCODING);
            this.packed = encoding != null && encoding.strip().equalsIgnoreCase("gzip");
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            if (packed && in == raw) in = new GZIPInputStream(raw);
            return in.read(bytes, from, length);
        }
    }

    private static final class Limited extends FilterInputStream {
        private long left;

        Limited(InputStream in, long maxBytes) {
            super(in);
            this.left = maxBytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            if (read > 0) {
                left -= read;
                if (left < 0) throw new TooLarge();
            }
            return read;
        }
    }
}
