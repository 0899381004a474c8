package dev.berth.acceptance.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerifyOptionsTest {

    @Test
    @DisplayName("Without options: text, all users, 30 s")
    void defaultIsTextOfAllUsers() {
        VerifyOptions options = VerifyOptions.parse();
        assertThat(options.json()).isFalse();
        assertThat(options.maxWait()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.users()).isEmpty();
        assertThat(options.freezes()).isEmpty();
    }

    @Test
    @DisplayName("Users and freezes may repeat")
    void optionsAreRead() {
        VerifyOptions options = VerifyOptions.parse(
                "-o",
                "json",
                "--wait",
                "0",
                "--user",
                "a",
                "--user",
                "b",
                "--tolerate",
                "2026-03-02T09:30:00Z/2026-03-02T09:31:00Z");
        assertThat(options.json()).isTrue();
        assertThat(options.maxWait()).isZero();
        assertThat(options.users()).containsExactlyInAnyOrder("a", "b");
        assertThat(options.freezes())
                .containsExactly(
                        new Freeze(null, Instant.parse("2026-03-02T09:30:00Z"), Instant.parse("2026-03-02T09:31:00Z")));
    }

    @ParameterizedTest
    @DisplayName("An invalid option is refused")
    @ValueSource(
            strings = {
                "--fast 1",
                "--wait",
                "--wait soon",
                "--wait 86401",
                "--user Not_A_User",
                "-o yaml",
                "--tolerate today",
                "--tolerate 2026-03-02T09:31:00Z/2026-03-02T09:30:00Z",
                "--tolerate 2026-03-02T09:31:00Z/"
            })
    void invalidOptionIsRefused(String arguments) {
        assertThatIllegalArgumentException().isThrownBy(() -> VerifyOptions.parse(arguments.split(" ")));
    }
}
