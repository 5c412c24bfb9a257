package io.countersign.kernel.web;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;

/** Digests the body of a request with an Idempotency-Key while the controller reads it. */
@Component
final class BodyDigestFilter extends OncePerRequestFilter {
    static final String HEADER = "Idempotency-Key";
    private static final String ATTRIBUTE = BodyDigestFilter.class.getName();

    private final long maxUnread;

    BodyDigestFilter(HttpLimits limits) {
        this.maxUnread = limits.maxJson().toBytes();
    }

    /** The digest of the whole body, of which nobody has read the rest yet; multipart has none. */
    static Sha256 bodyDigest(HttpServletRequest request) {
        if (!(request.getAttribute(ATTRIBUTE) instanceof Digesting digesting)) {
            throw new IllegalStateException("the body was not digested");
        }
        return digesting.finish();
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String type = request.getContentType();
        return request.getHeader(HEADER) == null
                || (type != null && type.regionMatches(true, 0, "multipart/", 0, 10));
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Digesting digesting = new Digesting(request, maxUnread);
        request.setAttribute(ATTRIBUTE, digesting);
        chain.doFilter(digesting, response);
    }

    private static final class Digesting extends HttpServletRequestWrapper {
        private final MessageDigest digest = Sha256.newDigest();
        private final long maxUnread;
        private @Nullable ServletInputStream stream;
        private @Nullable Sha256 result;

        Digesting(HttpServletRequest request, long maxUnread) {
            super(request);
            this.maxUnread = maxUnread;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (stream == null) {
                stream = new Tee(super.getInputStream(), digest);
            }
            return stream;
        }

        Sha256 finish() {
            if (result == null) {
                drain();
                result = Sha256.of(digest);
            }
            return result;
        }

        private void drain() {
            byte[] buffer = new byte[8192];
            long read = 0;
            try {
                int count = getInputStream().read(buffer);
                while (count >= 0) {
                    read += count;
                    if (read > maxUnread) {
                        throw new ProblemException(
                                ProblemCode.TOO_LARGE, "the request body is too large");
                    }
                    count = getInputStream().read(buffer);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Tee extends ServletInputStream {
        private final ServletInputStream in;
        private final MessageDigest digest;

        Tee(ServletInputStream in, MessageDigest digest) {
            this.in = in;
            this.digest = digest;
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            if (next >= 0) {
                digest.update((byte) next);
            }
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = in.read(buffer, offset, length);
            if (count > 0) {
                digest.update(buffer, offset, count);
            }
            return count;
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            in.setReadListener(listener);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
