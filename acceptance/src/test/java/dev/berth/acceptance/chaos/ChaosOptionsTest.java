package dev.berth.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosOptionsTest {

    @Test
    @DisplayName("Without options a run takes five minutes, with every kind and a seed of its own")
    void defaultRunHasEveryKind() {
        ChaosOptions options = ChaosOptions.parse(42);
        assertThat(options.length()).isEqualTo(Duration.ofMinutes(5));
        assertThat(options.seed()).isEqualTo(42);
        assertThat(options.kinds()).containsExactlyInAnyOrder(FaultKind.values());
        assertThat(options.planOnly()).isFalse();
    }

    @Test
    @DisplayName("Length, seed and kinds are read")
    void optionsAreRead() {
        ChaosOptions options = ChaosOptions.parse(
                42, "--minutes", "60", "--seed", "1", "--faults", "worker-kill,redis-wipe", "--plan");
        assertThat(options.length()).isEqualTo(Duration.ofHours(1));
        assertThat(options.seed()).isEqualTo(1);
        assertThat(options.kinds()).containsExactlyInAnyOrder(FaultKind.WORKER_KILL, FaultKind.REDIS_WIPE);
        assertThat(options.planOnly()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--minutes 0",
                "--minutes 1.5",
                "--minutes 2000",
                "--seed x",
                "--seed",
                "--faults fire",
                "--hours 1"
            })
    @DisplayName("An invalid option is refused")
    void invalidOptionIsRefused(String arguments) {
        assertThatIllegalArgumentException().isThrownBy(() -> ChaosOptions.parse(42, arguments.split(" ")));
    }
}
