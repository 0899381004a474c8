package dev.berth.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;

/**
 * Writes key files whose content a secret store gives as an environment variable, as ECS does: for
 * {@code X_FILE} and {@code X_FILE_BASE64} the file {@code X_FILE}, readable by its owner alone.
 * The folder should be in memory.
 */
public final class KeyFilesFromEnvironment {
    private static final String CONTENT = "_BASE64";
    private static final String FILE = "_FILE" + CONTENT;

    private KeyFilesFromEnvironment() {}

    /**
     * Overwrites what is there.
     *
     * @throws IllegalArgumentException naming the variable that is missing or no Base64
     */
    public static void write(Map<String, String> environment) {
        environment.forEach((name, content) -> {
            if (name.endsWith(FILE)) {
                String file = name.substring(0, name.length() - CONTENT.length());
                String path = environment.get(file);
                if (path == null) {
                    throw new IllegalArgumentException(name + " is set, but not " + file + ", where to write it.");
                }
                write(Path.of(path), decoded(name, content));
            }
        });
    }

    private static byte[] decoded(String name, String content) {
        try {
            return Base64.getMimeDecoder().decode(content);
        } catch (IllegalArgumentException unredacted) {
            throw new IllegalArgumentException(name + " is no Base64.");
        }
    }

    private static void write(Path file, byte[] content) {
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, content);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
