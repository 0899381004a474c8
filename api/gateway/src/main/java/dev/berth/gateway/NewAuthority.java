package dev.berth.gateway;

import dev.berth.gateway.CertificateAuthority.KeyWithCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Set;

/** Makes what a gateway of one machine needs: an authority of its own, and its keys. */
public final class NewAuthority {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final int KEY_BYTES = 32;

    private NewAuthority() {}

    /**
     * Writes {@code ca.key}, {@code gateway.key}, {@code enrolment.key} and, last,
     * {@code ca.crt} to a folder, unless the last is there already.
     */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        if (Files.exists(folder.resolve("ca.crt"))) {
            return;
        }
        KeyWithCertificate authority = CertificateAuthority.create(InstantSource.system());
        write(folder.resolve("ca.key"), authority.key().getBytes(StandardCharsets.US_ASCII));
        for (String name : Set.of("gateway.key", "enrolment.key")) {
            byte[] key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            write(folder.resolve(name), key);
        }
        write(folder.resolve("ca.crt"), authority.certificate().getBytes(StandardCharsets.US_ASCII));
    }

    /** Whole or not at all. */
    private static void write(Path file, byte[] content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, OWNER_ONLY);
        Files.write(part, content);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
