package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the API prove that it accepts such a token. */
class LocalTokenTest {
    @Test
    void keyIsPrivateAndStable(@TempDir Path folder) throws Exception {
        Path key = folder.resolve("token.key");
        LocalToken.makeKey(key);
        byte[] first = Files.readAllBytes(key);
        LocalToken.makeKey(key);
        assertThat(Files.readAllBytes(key)).isEqualTo(first).hasSize(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }
}
