package dev.berth.local.ecs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder with one JSON file per value. Writes are atomic: a temporary file is renamed. */
final class JsonFiles {
    private static final Logger LOG = LoggerFactory.getLogger(JsonFiles.class);

    private final Path folder;

    JsonFiles(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** No fsync: the file survives the end of this process, but perhaps not a power cut. */
    void write(String name, Object value) {
        try {
            Path temporary = folder.resolve(name + ".tmp");
            Files.write(temporary, EcsJson.MAPPER.writeValueAsBytes(value));
            Files.move(temporary, file(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Idempotent. */
    void delete(String name) {
        try {
            Files.deleteIfExists(file(name));
        } catch (IOException e) {
            LOG.warn("Could not delete {}", file(name), e);
        }
    }

    /** Every value in the folder. Leaves unreadable files in place and logs a warning. */
    <T> List<T> readAll(Class<T> type) {
        List<T> values = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
            files.forEach(file -> read(file, type).ifPresent(values::add));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return values;
    }

    private static <T> Optional<T> read(Path file, Class<T> type) {
        try {
            return Optional.of(EcsJson.MAPPER.readValue(file.toFile(), type));
        } catch (IOException e) {
            LOG.warn("Skipped {}, which is unreadable: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    private Path file(String name) {
        return folder.resolve(name + ".json");
    }
}
