package dev.berth.temporal.codec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Reads keys from files that their owner alone can read. */
public final class KeyFile {
    private static final Set<PosixFilePermission> OWNERS =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private KeyFile() {}

    /**
     * The bytes of the file, as they are.
     *
     * @param setting that names the file, for the sentence that says what to do
     * @throws IllegalArgumentException when it cannot be read, or is open to others
     */
    public static byte[] read(Path file, String setting) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNERS.containsAll(permissions)) {
                throw new IllegalArgumentException("The key file " + file + " (" + setting + ") is open to others ("
                        + PosixFilePermissions.toString(permissions) + "). Close it: chmod 600 " + file);
            }
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "The key file " + file + " (" + setting + ") cannot be read: " + unreadable, unreadable);
        }
    }
}
