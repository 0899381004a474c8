package dev.berth.activities.maintenance;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static dev.berth.activities.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofsTest {
    private static final Duration EVERY = Duration.ofSeconds(60);
    private static final Instant NEXT = NOON.plus(EVERY);

    private static TestRedis redis;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.forgetEverything();
    }

    private static Sighting of(UserId userId) {
        return Sighting.absent(new Drift(DriftKind.FROZEN_WORKER, userId, "", 0));
    }

    /** Each call is another process: what is remembered is in Redis alone. */
    private static List<Sighting> proven(Instant now, Sighting... seen) {
        return new Suspects(redis.commands(), EVERY).proven(List.of(seen), now);
    }

    @DisplayName("X6 what one sweep does not find is suspected; what the next one does not find either is proven")
    @Test
    void twoSweepsInARow() {
        assertThat(proven(NOON, of(ALICE))).isEmpty();
        assertThat(proven(NEXT, of(ALICE), of(BOB))).containsExactly(of(ALICE));
        assertThat(redis.commands().pttl(RedisKeys.SUSPECTS))
                .as("long enough for a sweep whose heals take minutes")
                .isBetween(590_000L, 600_000L);
    }

    @DisplayName("X6 whoever was well in between is no suspect any more")
    @Test
    void wellInBetween() {
        assertThat(proven(NOON, of(ALICE))).isEmpty();
        assertThat(proven(NEXT)).isEmpty();
        assertThat(redis.commands().exists(RedisKeys.SUSPECTS)).isZero();
        assertThat(proven(NEXT.plus(EVERY), of(ALICE))).isEmpty();
    }

    @DisplayName("X6 a sweep that follows at once, as when somebody starts one by hand, is no second proof")
    @Test
    void tooSoon() {
        assertThat(proven(NOON, of(ALICE))).isEmpty();
        assertThat(proven(NOON.plusSeconds(2), of(ALICE))).isEmpty();
        assertThat(proven(NEXT, of(ALICE))).containsExactly(of(ALICE));
    }

    @DisplayName("X6 what ECS said directly needs no second sweep")
    @Test
    void direct() {
        Sighting said = Sighting.proven(new Drift(DriftKind.MARK_WITHOUT_TASK, ALICE, "a", 0));
        assertThat(proven(NOON, said, of(BOB))).containsExactly(said);
    }

    @DisplayName("X6 5 % of the fleet may be stopped in a minute, never fewer than 10; all sweeps share them")
    @Test
    void killBudget() {
        assertThat(KillBudget.perMinute(0)).isEqualTo(10);
        assertThat(KillBudget.perMinute(10_000)).isEqualTo(500);
        KillBudget one = new KillBudget(redis.commands());
        KillBudget other = new KillBudget(redis.commands());
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
