package dev.berth.activities.retention;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Files of JSON lines, compressed and numbered. A file appears complete and on disk, or not at all,
 * and is never written again, whatever is killed or runs twice.
 */
public final class ArchiveFolder {
    private static final String UNFINISHED = ".unfinished-";
    /** No process is that slow; the file of one that is would only be written again. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    private final Path folder;

    public ArchiveFolder(Path folder) {
        this.folder = folder;
    }

    /** Such as {@code orders-000000042.jsonl.gz}. */
    public static String name(long number) {
        return String.format(Locale.ROOT, "orders-%09d.jsonl.gz", number);
    }

    boolean exists(long number) {
        return Files.exists(file(number));
    }

    long size(long number) {
        try {
            return Files.size(file(number));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Does nothing when another attempt was first. */
    void write(long number, List<String> lines) {
        try {
            Files.createDirectories(folder);
            removeAbandoned();
            // Readable by its owner alone.
            Path unfinished = Files.createTempFile(folder, UNFINISHED, ".gz");
            try {
                fill(unfinished, lines);
                publish(unfinished, file(number));
            } finally {
                Files.deleteIfExists(unfinished);
            }
            sync();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void fill(Path file, List<String> lines) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            GZIPOutputStream compressed = new GZIPOutputStream(Channels.newOutputStream(channel));
            BufferedWriter writer = new BufferedWriter(new OutputStreamWriter(compressed, StandardCharsets.UTF_8));
            for (String line : lines) {
                writer.write(line);
                writer.write('\n');
            }
            writer.flush();
            compressed.finish();
            channel.force(true);
        }
    }

    /** By a link, since a move would replace a file that is there. */
    private static void publish(Path unfinished, Path file) throws IOException {
        try {
            Files.createLink(file, unfinished);
        } catch (FileAlreadyExistsException first) {
            // Its content counts.
        }
    }

    /** The name, too, must be on disk before anything is deleted. */
    private void sync() throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private void removeAbandoned() throws IOException {
        Instant limit = Instant.now().minus(ABANDONED);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, UNFINISHED + "*")) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /**
     * Reads a file to its end, checksum included.
     *
     * @throws UncheckedIOException when it is missing, incomplete or damaged
     */
    List<String> read(long number) {
        try {
            // Of an attempt that was killed before it did the same.
            sync();
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(file(number))), StandardCharsets.UTF_8))) {
                return reader.lines().toList();
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Path file(long number) {
        return folder.resolve(name(number));
    }
}
