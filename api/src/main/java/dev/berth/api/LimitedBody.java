package dev.berth.api;

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

    private @Nullable ServletInputStream stream;

    LimitedBody(HttpServletRequest request) {
        super(request);
    }

    static Problem.Refusal refusal() {
        return Problem.BODY_TOO_LARGE.because("Send at most " + MAX_BYTES + " bytes.");
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (stream == null) {
            stream = new Limited(super.getInputStream());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    private static final class Limited extends ServletInputStream {
        private final ServletInputStream body;
        private long read;

        private Limited(ServletInputStream body) {
            this.body = body;
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
            if (read > MAX_BYTES) {
                throw refusal();
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
