package dev.berth.workflows.pool;

import static dev.berth.workflows.InMemoryServer.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PoolStateTest {
    private static final PoolSize TWO = new PoolSize(1, 2, Duration.ofHours(12));

    @Test
    @Tag("X8")
    @DisplayName("Tasks of one launch that stop together count as one failure")
    void tasksOfOneLaunchFailOnce() {
        PoolState pool = PoolState.of(TWO).started("a", OPEN).started("b", OPEN);
        pool = pool.stopped("a", "exit 1", OPEN.plusSeconds(1)).stopped("b", "exit 1", OPEN.plusSeconds(2));
        assertThat(pool.backoff()).isEqualTo(new PoolState.LaunchBackoff(OPEN.plusSeconds(11), 1, "exit 1"));
        assertThat(pool.recent()).isEmpty();
    }

    @Test
    @Tag("X8")
    @DisplayName("The backoff doubles up to 5 min, and ends when a worker is stable for a minute")
    void backoffDoublesUntilWorkerIsStable() {
        PoolState pool = PoolState.of(TWO);
        var now = OPEN;
        for (int i = 0; i < 8; i++) {
            pool = pool.failed("exit 1", now);
            now = now.plus(Duration.ofMinutes(6));
        }
        assertThat(pool.backoff()).isEqualTo(new PoolState.LaunchBackoff(now.minusSeconds(60), 8, "exit 1"));

        pool = pool.started("a", now).idle("a", now);
        PoolView full = new PoolView(2, List.of(), List.of(), List.of(), false, List.of(), null);
        assertThat(pool.checked(full, now.plusSeconds(59)).backoff()).isNotNull();
        assertThat(pool.checked(full, now.plusSeconds(60)).backoff()).isNull();
    }

    @Test
    @Tag("A4")
    @DisplayName("A pool worker whose task waits for a host is not overdue while the cluster grows")
    void timeOfStartCountsFromHost() {
        PoolState pool = PoolState.of(TWO).started("a", OPEN);
        PoolView waiting = new PoolView(0, List.of(), List.of(), List.of(), false, List.of("a"), null);
        PoolView placed = new PoolView(0, List.of(), List.of(), List.of(), false, List.of(), null);
        pool = pool.checked(waiting, OPEN.plusSeconds(300));
        assertThat(pool.overdue(OPEN.plusSeconds(389))).isEmpty();
        assertThat(pool.checked(placed, OPEN.plusSeconds(390)).overdue(OPEN.plusSeconds(390)))
                .contains("a");
    }

    @Test
    @DisplayName("An invalid size is rejected")
    void invalidSizeIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolSize(3, 2, Duration.ofHours(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolSize(-1, 2, Duration.ofHours(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolSize(0, 2, Duration.ZERO));
    }
}
