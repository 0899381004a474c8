package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ServerClockTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    /** The time since the server's noon. */
    private Duration passed = Duration.ZERO;

    /** How much of that the monotonic clock missed. */
    private Duration suspended = Duration.ZERO;

    private final ServerClock clock = new ServerClock(
            () -> Duration.ofDays(-3).plus(passed).minus(suspended).toNanos(),
            () -> Instant.EPOCH.plus(passed).toEpochMilli());

    /** A task that the server started so long after noon. */
    private void task(Duration started) {
        clock.observe(NOON.plus(started).toEpochMilli());
    }

    @Test
    void taskGivesEarliestTime() {
        task(Duration.ZERO);
        assertThat(clock.now()).isEqualTo(NOON);
        passed = Duration.ofSeconds(9);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(9));
    }

    @Tag("X1")
    @DisplayName("A task that waited for a frozen process does not set the clock back")
    @Test
    void lateTaskDoesNotSetClockBack() {
        task(Duration.ZERO);
        passed = Duration.ofSeconds(60);
        task(Duration.ofSeconds(2));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(60));
    }

    @Tag("X1")
    @DisplayName("The time of a suspension counts, though the monotonic clock stands still")
    @Test
    void suspensionCounts() {
        task(Duration.ZERO);
        passed = Duration.ofSeconds(20);
        suspended = Duration.ofSeconds(15);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(20));
        // A task that was delivered before the suspension, and one that came after it.
        task(Duration.ofSeconds(1));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(20));
        task(Duration.ofSeconds(20));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(20));
        passed = Duration.ofSeconds(30);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(30));
    }

    @DisplayName("A wall clock that is set far ahead counts for nothing")
    @Test
    void stepOfWallClockIsIgnored() {
        task(Duration.ZERO);
        passed = Duration.ofHours(2);
        suspended = Duration.ofHours(2).minusSeconds(3);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(3));
    }

    @Test
    void fastestTaskGivesBestEstimate() {
        passed = Duration.ofSeconds(3);
        task(Duration.ofSeconds(1));
        task(Duration.ofSeconds(2));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(2));
    }

    @DisplayName("A wrong estimate expires within two hours")
    @Test
    void forgetsWrongEstimate() {
        task(Duration.ofSeconds(100));
        passed = Duration.ofMinutes(61);
        task(Duration.ofMinutes(61));
        assertThat(clock.now()).isEqualTo(NOON.plus(passed).plusSeconds(100));
        passed = Duration.ofMinutes(123);
        task(Duration.ofMinutes(123));
        assertThat(clock.now()).isEqualTo(NOON.plus(passed));
    }

    @Test
    void failsBeforeFirstTask() {
        assertThatThrownBy(clock::now).isInstanceOf(IllegalStateException.class);
    }
}
