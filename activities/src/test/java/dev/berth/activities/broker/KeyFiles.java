package dev.berth.activities.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/** Key files of wrapping keys. */
public final class KeyFiles {
    private KeyFiles() {}

    public static FileWrappingKey make(Path file) throws IOException {
        return make(file, 32, "rw-------");
    }

    static FileWrappingKey make(Path file, int bytes, String permissions) throws IOException {
        byte[] key = new byte[bytes];
        new SecureRandom().nextBytes(key);
        Files.write(file, key);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return new FileWrappingKey(file);
    }
}
