package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.temporal.codec.KeyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesFromEnvironmentTest {
    private static final byte[] KEY = {0, 1, -1, 127};

    @TempDir
    private Path folder;

    @Test
    void writesFileThatOnlyOwnerReads() throws Exception {
        Path file = folder.resolve("codec.key");
        Files.writeString(file, "an earlier key, open to others");
        KeyFilesFromEnvironment.write(Map.of(
                "BERTH_CODEC_KEY_FILE",
                file.toString(),
                "BERTH_CODEC_KEY_FILE_BASE64",
                Base64.getEncoder().encodeToString(KEY) + "\n",
                "PATH",
                "/bin"));
        assertThat(KeyFile.read(file, "berth.codec.key-file")).isEqualTo(KEY);
    }

    @Test
    void refusesContentWithoutFile() {
        assertThatThrownBy(() -> KeyFilesFromEnvironment.write(Map.of("BERTH_CODEC_KEY_FILE_BASE64", "AAE=")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("BERTH_CODEC_KEY_FILE_BASE64 is set, but not BERTH_CODEC_KEY_FILE, where to write it.");
    }
}
