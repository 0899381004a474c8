package dev.berth.activities.maintenance;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SuspectedDriftsTest {
    private static final Duration INTERVAL = Duration.ofSeconds(60);
    private static final Instant NEXT = NOON.plus(INTERVAL);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private static DriftObservation of(UserId userId) {
        return DriftObservation.suspected(new Drift(DriftKind.FROZEN_WORKER, userId, "", 0));
    }

    /** Each call stands for another process: only Redis keeps the state. */
    private static List<DriftObservation> confirmed(Instant now, DriftObservation... found) {
        return new SuspectedDrifts(redis.commands(), INTERVAL).confirmed(List.of(found), now);
    }

    @Tag("X6")
    @DisplayName("The second sweep confirms what the first one suspects")
    @Test
    void secondSweepConfirms() {
        assertThat(confirmed(NOON, of(ALICE))).isEmpty();
        assertThat(confirmed(NEXT, of(ALICE), of(BOB))).containsExactly(of(ALICE));
        assertThat(redis.commands().pttl(RedisKeys.SUSPECTS))
                .as("long enough for a sweep whose heals take minutes")
                .isBetween(590_000L, 600_000L);
    }

    @Tag("X6")
    @DisplayName("A drift that resolves between two sweeps is no longer suspected")
    @Test
    void resolvedDriftIsForgotten() {
        assertThat(confirmed(NOON, of(ALICE))).isEmpty();
        assertThat(confirmed(NEXT)).isEmpty();
        assertThat(redis.commands().exists(RedisKeys.SUSPECTS)).isZero();
        assertThat(confirmed(NEXT.plus(INTERVAL), of(ALICE))).isEmpty();
    }

    @Tag("X6")
    @DisplayName("A sweep that follows at once confirms nothing")
    @Test
    void earlySweepConfirmsNothing() {
        assertThat(confirmed(NOON, of(ALICE))).isEmpty();
        assertThat(confirmed(NOON.plusSeconds(2), of(ALICE))).isEmpty();
        assertThat(confirmed(NEXT, of(ALICE))).containsExactly(of(ALICE));
    }

    @Tag("X6")
    @DisplayName("A drift with direct proof needs no second sweep")
    @Test
    void directProofNeedsNoSecondSweep() {
        DriftObservation proven = DriftObservation.proven(new Drift(DriftKind.HEARTBEAT_WITHOUT_TASK, ALICE, "a", 0));
        assertThat(confirmed(NOON, proven, of(BOB))).containsExactly(proven);
    }

    @Tag("X6")
    @DisplayName("The first sweep of a process stops nothing")
    @Test
    void firstSweepStopsNothing() {
        StopBudget budget = new StopBudget(redis.commands());
        assertThat(budget.nextSweep(10_000)).isZero();
        assertThat(budget.nextSweep(10_000)).isEqualTo(500);
        assertThat(budget.nextSweep(20)).isEqualTo(10);
    }

    @Tag("X6")
    @DisplayName("All sweeps together may stop 5 % of the fleet in a minute, and at least 10")
    @Test
    void sweepsShareStopBudget() {
        assertThat(StopBudget.perMinute(0)).isEqualTo(10);
        assertThat(StopBudget.perMinute(10_000)).isEqualTo(500);
        StopBudget one = new StopBudget(redis.commands());
        StopBudget other = new StopBudget(redis.commands());
        assertThat(IntStream.range(0, 20).filter(number -> (number % 2 == 0 ? one : other).take(10)))
                .hasSize(10);
        assertThat(redis.commands().pttl(RedisKeys.STOPS)).isBetween(1L, 60_000L);

        redis.commands()
                .zrange(RedisKeys.STOPS, 0, 3)
                .forEach(stop -> redis.commands().zincrby(RedisKeys.STOPS, -60_000, stop));
        assertThat(IntStream.range(0, 20).filter(_ -> one.take(10)))
                .as("as many as are a minute old")
                .hasSize(4);
        assertThat(one.take(0)).as("the first sweep after a start").isFalse();
    }
}
