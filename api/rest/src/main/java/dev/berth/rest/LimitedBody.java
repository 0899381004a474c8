package dev.berth.rest;

import dev.berth.rest.codec.CodecSession;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request without Content-Length. Reading its body ends with a refusal when the body is too
 * large.
 */
final class LimitedBody extends HttpServletRequestWrapper {
    static final int MAX_BYTES = 64 * 1024;
    /** Temporal's own limit of a message: a page of a history comes in one call. */
    private static final int MAX_CODEC_BYTES = 4 * 1024 * 1024;

    private final int maxBytes;

    private @Nullable ServletInputStream stream;

    LimitedBody(HttpServletRequest request) {
        super(request);
        maxBytes = maxBytes(request);
    }

    static int maxBytes(HttpServletRequest request) {
        return CodecSession.isCodec(request) ? MAX_CODEC_BYTES : MAX_BYTES;
    }

    static Problem.Refusal refusal(int maxBytes) {
        return Problem.BODY_TOO_LARGE.because("Send at most " + maxBytes + " bytes.");
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (stream == null) {
            stream = new Limited(super.getInputStream(), maxBytes);
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    private static final class Limited extends ServletInputStream {
        private final ServletInputStream body;
        private final int maxBytes;
        private long read;

        private Limited(ServletInputStream body, int maxBytes) {
            this.body = body;
            this.maxBytes = maxBytes;
        }

        @Override
        public int read() throws IOException {
            int one = body.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int some = body.read(into, offset, length);
            count(some);
            return some;
        }

        private void count(int more) {
            read += Math.max(0, more);
            if (read > maxBytes) {
                throw refusal(maxBytes);
            }
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
