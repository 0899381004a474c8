package dev.berth.local.ecs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** A file with the process id of each live task. */
record PidFiles(Path folder) {
    PidFiles {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path of(String taskId) {
        return folder.resolve(taskId + ".pid");
    }

    OptionalLong read(String taskId) {
        try {
            return OptionalLong.of(Long.parseLong(Files.readString(of(taskId)).strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Idempotent. */
    void delete(String taskId) {
        try {
            Files.deleteIfExists(of(taskId));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
