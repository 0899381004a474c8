package dev.berth.host.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.RedisKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final Duration JUST_UNDER = Duration.ofSeconds(25).minusMillis(1);

    /** Two clocks, each moved by hand. */
    private static final class Clocks extends Clock {
        private Duration monotonic = Duration.ofDays(-3);
        private Instant wall = Instant.parse("2026-03-02T12:00:00Z");

        void pass(Duration time) {
            monotonic = monotonic.plus(time);
            wall = wall.plus(time);
        }

        @Override
        public Instant instant() {
            return wall;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    private final Clocks clocks = new Clocks();
    private final Lease lease = new Lease(() -> clocks.monotonic.toNanos(), clocks);

    @Test
    void thereIsNoneBeforeTheFirstRenewal() {
        assertThat(lease.isValid()).isFalse();
    }

    @DisplayName("E10 the lease is 25 s long, shorter than the mark lives in Redis")
    @Test
    void itRunsOutBeforeTheMark() {
        lease.sending().run();
        clocks.pass(JUST_UNDER);
        assertThat(lease.isValid()).isTrue();
        clocks.pass(Duration.ofMillis(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(Lease.LENGTH).isLessThan(RedisKeys.MARK_TTL);
    }

    @DisplayName("X2 it runs out on the monotonic clock, though the wall clock was set back")
    @Test
    void theMonotonicClockIsEnough() {
        lease.sending().run();
        clocks.monotonic = clocks.monotonic.plusSeconds(25);
        clocks.wall = clocks.wall.minusSeconds(3600);
        assertThat(lease.isValid()).isFalse();
    }

    @DisplayName("X2 it runs out on the wall clock, though the monotonic one stood still with the machine")
    @Test
    void theWallClockIsEnough() {
        lease.sending().run();
        clocks.wall = clocks.wall.plusSeconds(25);
        assertThat(lease.isValid()).isFalse();
    }

    @DisplayName("E10 it runs from the moment that a renewal was sent, not from its answer")
    @Test
    void countsFromSending() {
        Runnable answered = lease.sending();
        clocks.pass(Duration.ofSeconds(10));
        answered.run();
        clocks.pass(Duration.ofSeconds(15));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void eachRenewalBeginsItAnew() {
        lease.sending().run();
        clocks.pass(JUST_UNDER);
        lease.sending().run();
        clocks.pass(JUST_UNDER);
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void itCanBeEnded() {
        lease.sending().run();
        lease.end();
        assertThat(lease.isValid()).isFalse();
    }
}
