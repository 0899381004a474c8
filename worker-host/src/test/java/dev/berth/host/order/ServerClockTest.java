package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerClockTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    /** What has passed here since the server's noon. */
    private Duration passed = Duration.ZERO;

    private final ServerClock clock =
            new ServerClock(() -> Duration.ofDays(-3).plus(passed).toNanos());

    /** A task that the server handed out so long after noon. */
    private void task(Duration handedOut) {
        clock.heard(NOON.plus(handedOut).toEpochMilli());
    }

    @Test
    void theTaskSaysWhatTimeItIsAtLeast() {
        task(Duration.ZERO);
        assertThat(clock.now()).isEqualTo(NOON);
        passed = Duration.ofSeconds(9);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(9));
    }

    @DisplayName("X1 a task that lay before a frozen process does not set the clock back: its way counts too")
    @Test
    void theWayOfATaskCounts() {
        task(Duration.ZERO);
        passed = Duration.ofSeconds(60);
        task(Duration.ofSeconds(2));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void theTaskWithTheShortestWaySaysItBest() {
        passed = Duration.ofSeconds(3);
        task(Duration.ofSeconds(1));
        task(Duration.ofSeconds(2));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(2));
    }

    @DisplayName("A clock that was wrong is forgotten within two hours")
    @Test
    void forgets() {
        task(Duration.ofSeconds(100));
        passed = Duration.ofMinutes(61);
        task(Duration.ofMinutes(61));
        assertThat(clock.now()).isEqualTo(NOON.plus(passed).plusSeconds(100));
        passed = Duration.ofMinutes(123);
        task(Duration.ofMinutes(123));
        assertThat(clock.now()).isEqualTo(NOON.plus(passed));
    }

    @Test
    void nothingIsKnownBeforeTheFirstTask() {
        assertThatThrownBy(clock::now).isInstanceOf(IllegalStateException.class);
    }
}
