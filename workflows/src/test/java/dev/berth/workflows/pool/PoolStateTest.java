package dev.berth.workflows.pool;

import static dev.berth.workflows.InMemoryServer.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoolStateTest {
    private static final PoolSize TWO = new PoolSize(1, 2, Duration.ofHours(12));

    @Test
    @DisplayName("X8 tasks that were started by one call and die together are one failure")
    void dieTogether() {
        PoolState pool = PoolState.of(TWO).started(List.of("a", "b"), OPEN);
        pool = pool.died("a", "exit 1", OPEN.plusSeconds(1)).died("b", "exit 1", OPEN.plusSeconds(2));
        assertThat(pool.hold()).isEqualTo(new PoolState.Hold(OPEN.plusSeconds(11), 1, "exit 1"));
        assertThat(pool.young()).isEmpty();
    }

    @Test
    @DisplayName("X8 pauses after failures double up to 5 min, and begin anew when a worker lives for a minute")
    void pauses() {
        PoolState pool = PoolState.of(TWO);
        var now = OPEN;
        for (int i = 0; i < 8; i++) {
            pool = pool.failed("exit 1", now);
            now = now.plus(Duration.ofMinutes(6));
        }
        assertThat(pool.hold()).isEqualTo(new PoolState.Hold(now.minusSeconds(60), 8, "exit 1"));

        pool = pool.started(List.of("a"), now).arrived("a", now);
        PoolView full = new PoolView(2, List.of(), List.of(), List.of(), false);
        assertThat(pool.seen(full, now.plusSeconds(59)).hold()).isNotNull();
        assertThat(pool.seen(full, now.plusSeconds(60)).hold()).isNull();
    }

    @Test
    @DisplayName("A size that makes no sense is refused")
    void sizes() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolSize(3, 2, Duration.ofHours(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolSize(-1, 2, Duration.ofHours(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolSize(0, 2, Duration.ZERO));
    }
}
