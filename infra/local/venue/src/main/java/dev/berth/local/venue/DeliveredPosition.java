package dev.berth.local.venue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The position in the journal up to which updates were delivered. A venue that is killed between
 * the two delivers the rest when it starts again, so that no FIX client misses a report.
 */
final class DeliveredPosition implements AutoCloseable {

    private final FileChannel channel;

    private DeliveredPosition(FileChannel channel) {
        this.channel = channel;
    }

    /** The file is made with its folders if absent. */
    static DeliveredPosition beside(Path bookFile) throws IOException {
        var file = bookFile.toAbsolutePath().resolveSibling(bookFile.getFileName() + ".delivered");
        var folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        return new DeliveredPosition(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** After everything if none was written: a book from before has nothing to deliver. */
    long read() throws IOException {
        var bytes = ByteBuffer.allocate(Long.BYTES);
        return channel.read(bytes, 0) == Long.BYTES ? bytes.getLong(0) : Long.MAX_VALUE;
    }

    /** Not forced: a killed process loses nothing that it wrote. */
    void write(long position) {
        try {
            channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, position), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
