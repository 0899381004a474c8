package dev.berth.host.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.RedisKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
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
    void isInvalidBeforeFirstRenewal() {
        assertThat(lease.isValid()).isFalse();
    }

    @Tag("E10")
    @DisplayName("The lease expires after 25 s, before the heartbeat key")
    @Test
    void expiresBeforeHeartbeatKey() {
        lease.sending().run();
        clocks.pass(JUST_UNDER);
        assertThat(lease.isValid()).isTrue();
        clocks.pass(Duration.ofMillis(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(Lease.LENGTH).isLessThan(RedisKeys.HEARTBEAT_TTL);
    }

    @Tag("X2")
    @DisplayName("The lease expires by the monotonic clock when the wall clock is set back")
    @Test
    void expiresByMonotonicClock() {
        lease.sending().run();
        clocks.monotonic = clocks.monotonic.plusSeconds(25);
        clocks.wall = clocks.wall.minusSeconds(3600);
        assertThat(lease.isValid()).isFalse();
    }

    @Tag("X2")
    @DisplayName("The lease expires by the wall clock when the monotonic one stands still")
    @Test
    void expiresByWallClock() {
        lease.sending().run();
        clocks.wall = clocks.wall.plusSeconds(25);
        assertThat(lease.isValid()).isFalse();
    }

    @Tag("E10")
    @DisplayName("The lease starts when a renewal is sent, not when it is answered")
    @Test
    void startsWhenRenewalIsSent() {
        Runnable answered = lease.sending();
        clocks.pass(Duration.ofSeconds(10));
        answered.run();
        clocks.pass(Duration.ofSeconds(15));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void renewalExtendsLease() {
        lease.sending().run();
        clocks.pass(JUST_UNDER);
        lease.sending().run();
        clocks.pass(JUST_UNDER);
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void endInvalidatesLease() {
        lease.sending().run();
        lease.end();
        assertThat(lease.isValid()).isFalse();
    }
}
