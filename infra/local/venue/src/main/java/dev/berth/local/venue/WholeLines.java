package dev.berth.local.venue;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads complete lines, ignores an incomplete last one and counts bytes. */
final class WholeLines implements AutoCloseable {

    private final InputStream in;
    private long bytesRead;

    WholeLines(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** The next line without its line feed; null at the end. */
    byte @Nullable [] next() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                bytesRead += line.size() + 1L;
                return line.toByteArray();
            }
            line.write(b);
        }
        return null;
    }

    /** Bytes up to and including the line feed of the last line that {@link #next} returned. */
    long bytesRead() {
        return bytesRead;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
