package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretSearchTest {

    @Test
    @Tag("X1")
    @DisplayName("A secret in a log or in task overrides is found, and the finding does not repeat it")
    void secretIsFoundAndNotRepeated(@TempDir Path logs) throws IOException {
        Files.writeString(logs.resolve("api.log"), "fine\n{\"secret\":\"paper-alice\"}\n");
        Files.createDirectory(logs.resolve("tasks"));
        Files.write(logs.resolve("tasks/one.log"), new byte[] {(byte) 0xff, '\n'});
        SecretSearch.Searched searched = new SecretSearch(Set.of("alice", "bob"))
                .files(logs)
                .texts(Map.of("overrides of t1", "{\"value\":\"paper-bob\"}"))
                .searched();
        assertThat(searched.places()).isEqualTo(3);
        assertThat(searched.found())
                .containsExactly(
                        "the secret of alice stands in " + logs.resolve("api.log") + ":2",
                        "the secret of bob stands in overrides of t1");
        assertThat(searched.toString()).doesNotContain("paper-");
    }

    @Test
    @DisplayName("Similar user names and a missing folder yield nothing")
    void similarNamesAreNoSecrets(@TempDir Path logs) throws IOException {
        Files.writeString(logs.resolve("api.log"), "paper-alice2 paper-alice-b alpaca/equity/paper/paper alice");
        SecretSearch search = new SecretSearch(Set.of("alice"));
        assertThat(search.files(logs).files(logs.resolve("none")).searched())
                .isEqualTo(new SecretSearch.Searched(1, List.of()));
    }
}
