package dev.berth.local.venue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The append-only file of the book. A line is a JSON array of the events of one transaction, so
 * that a crash keeps all or none of them.
 *
 * <p>{@link #append} only writes; {@link #force} makes durable. Callers append under the ledger's
 * lock and force outside it, so one force serves all waiting callers.
 */
final class Journal implements AutoCloseable {

    /** Receives the events of the file, in their order. */
    @FunctionalInterface
    interface Replay {
        /** Receives the next event; its line begins at that position. */
        void apply(BookEvent event, long position);
    }

    private final FileChannel channel;
    private final Object forcing = new Object();
    private volatile long written;
    private volatile long durable;

    private Journal(FileChannel channel, long size) {
        this.channel = channel;
        this.written = size;
        this.durable = size;
    }

    /**
     * Opens the file, creates it with its folders if absent, and replays it. Truncates an
     * incomplete last line, which no response has confirmed.
     *
     * @throws IOException if the file cannot be read or written, or a complete line is invalid
     */
    static Journal open(Path file, Replay replay) throws IOException {
        var folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        var channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        long size = 0;
        try (var lines = new WholeLines(Files.newInputStream(file))) {
            for (var line = lines.next(); line != null; line = lines.next()) {
                for (var event : VenueJson.MAPPER.readValue(line, BookEvent[].class)) {
                    replay.apply(event, size);
                }
                size = lines.bytesRead();
            }
        }
        channel.truncate(size);
        channel.position(size);
        return new Journal(channel, size);
    }

    /**
     * Writes one line and returns the position to {@link #force}. Calls must not overlap.
     *
     * @throws UncheckedIOException if the disk fails; the venue cannot continue
     */
    long append(List<BookEvent> events) {
        try {
            String line = VenueJson.MAPPER.writeValueAsString(events.toArray(BookEvent[]::new)) + "\n";
            var bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
            long end = written + bytes.remaining();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            written = end;
            return end;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long written() {
        return written;
    }

    /** Everything before this position is on disk. */
    long durable() {
        return durable;
    }

    /** Returns once everything before {@code position} is on disk; at once if it already is. */
    void force(long position) {
        if (durable >= position) {
            return;
        }
        synchronized (forcing) {
            if (durable >= position) {
                return;
            }
            try {
                long reached = written;
                channel.force(false);
                durable = reached;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
