package dev.berth.aws;

import dev.berth.gateway.NewAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A certificate as a gateway's authority has it. */
final class AuthorityCertificate {
    static final byte[] PEM = create();

    private AuthorityCertificate() {}

    private static byte[] create() {
        try {
            Path folder = Files.createTempDirectory("authority");
            NewAuthority.main(new String[] {folder.toString()});
            return Files.readAllBytes(folder.resolve("ca.crt"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
