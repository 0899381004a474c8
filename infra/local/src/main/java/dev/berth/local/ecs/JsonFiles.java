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

/** A folder with one JSON file per thing. A write is whole or not there: it goes to a side file that is then renamed. */
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

    /** Not synchronised to the disk: it survives the death of this process, not that of the machine. */
    void write(String name, Object value) {
        try {
            Path side = folder.resolve(name + ".tmp");
            Files.write(side, Json.MAPPER.writeValueAsBytes(value));
            Files.move(side, file(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Already gone is fine. */
    void delete(String name) {
        try {
            Files.deleteIfExists(file(name));
        } catch (IOException e) {
            LOG.warn("Could not delete {}", file(name), e);
        }
    }

    /** Everything in the folder; a file that can not be read is left where it is, with a warning. */
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
            return Optional.of(Json.MAPPER.readValue(file.toFile(), type));
        } catch (IOException e) {
            LOG.warn("Skipped {}, which is torn or not ours: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    private Path file(String name) {
        return folder.resolve(name + ".json");
    }
}
