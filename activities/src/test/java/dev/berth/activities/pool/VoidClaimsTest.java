package dev.berth.activities.pool;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.maintenance.StopBudget;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class VoidClaimsTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final List<String> stopped = new CopyOnWriteArrayList<>();
    private final VoidClaims voids = new VoidClaims(redis.commands(), (task, _) -> stopped.add(task));

    /** A claim as the lifecycle makes it, just now. */
    private static void reserve(UserId userId, String taskId) {
        redis.commands().set(RedisKeys.reserved(taskId), RedisKeys.claim(userId, 1));
        redis.commands().zadd(RedisKeys.RECENT_CLAIMS, now(), RedisKeys.claim(userId, 1));
    }

    private static double now() {
        return Double.parseDouble(redis.commands().time().getFirst()) * 1_000;
    }

    private boolean retire(UserId userId, String taskId) {
        return voids.retire(UserGroup.DEFAULT, userId, 1, taskId);
    }

    /** Reserves a worker of its own for a user of its own, whose claim is void. */
    private boolean reserveAndRetire(int number) {
        UserId user = new UserId("void-" + number);
        reserve(user, "task-" + number);
        return retire(user, "task-" + number);
    }

    private static String reservation(String taskId) {
        return String.valueOf(redis.commands().get(RedisKeys.reserved(taskId)));
    }

    @Tag("X4")
    @Tag("X16")
    @DisplayName("One void claim retires its worker and stops the task, once")
    @Test
    void voidClaimRetiresAndStops() {
        reserve(ALICE, "task-1");
        redis.commands().zadd(RedisKeys.POOL_IDLE, 1, "task-1");
        assertThat(retire(ALICE, "task-1")).isTrue();
        assertThat(reservation("task-1")).isEqualTo(RedisKeys.RETIRED);
        assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
        Awaitility.await().until(() -> stopped.equals(List.of("task-1")));
        assertThat(retire(ALICE, "task-1")).isTrue();
        assertThat(stopped).hasSize(1);
    }

    @Tag("X16")
    @DisplayName("A worker that took its claim and never answered is retired, too")
    @Test
    void boundWorkerIsRetired() {
        redis.commands().set(RedisKeys.bound("task-1"), RedisKeys.claim(ALICE, 1));
        assertThat(retire(ALICE, "task-1")).isTrue();
        Awaitility.await().until(() -> stopped.equals(List.of("task-1")));
    }

    @Tag("X4")
    @DisplayName("A worker that has another claim by now stays")
    @Test
    void workerWithAnotherClaimStays() {
        reserve(BOB, "task-1");
        redis.commands().set(RedisKeys.bound("task-2"), RedisKeys.claim(BOB, 1));
        assertThat(retire(ALICE, "task-1")).isFalse();
        assertThat(retire(ALICE, "task-2")).isFalse();
        assertThat(reservation("task-1")).isEqualTo(RedisKeys.claim(BOB, 1));
        assertThat(stopped).isEmpty();
        assertThat(redis.commands().zcard(RedisKeys.STOPS)).as("returned").isZero();
    }

    @Tag("X4")
    @DisplayName("When half of a minute's claims are void the workers stay, except the first two and bound ones")
    @Test
    void pausesWhenHalfIsVoid() {
        for (int number = 0; number < 3; number++) {
            reserve(new UserId("answered-" + number), "task-of-" + number);
        }
        assertThat(reserveAndRetire(1)).isTrue();
        assertThat(reserveAndRetire(2)).isTrue();
        assertThat(reserveAndRetire(3)).as("3 of 6").isFalse();
        assertThat(reservation("task-3")).isEqualTo(RedisKeys.claim(new UserId("void-3"), 1));

        for (int number = 3; number < 9; number++) {
            reserve(new UserId("answered-" + number), "task-of-" + number);
        }
        assertThat(reserveAndRetire(4)).as("4 of 13").isTrue();
        redis.commands().zadd(RedisKeys.VOID_CLAIMS, now(), "a");
        redis.commands().zadd(RedisKeys.VOID_CLAIMS, now(), "b");
        redis.commands().zadd(RedisKeys.VOID_CLAIMS, now(), "c");
        assertThat(reserveAndRetire(5)).as("8 of 14").isFalse();
        redis.commands().set(RedisKeys.bound("task-6"), RedisKeys.claim(new UserId("void-6"), 1));
        assertThat(reserveAndRetire(6)).as("bound, of no use to others").isTrue();
        Awaitility.await().until(() -> stopped.size() == 4);
        assertThat(stopped).doesNotContain("task-3", "task-5");
    }

    @Tag("X4")
    @DisplayName("Claims older than a minute count no more")
    @Test
    void oldClaimsDoNotCount() {
        for (int number = 0; number < 5; number++) {
            redis.commands().zadd(RedisKeys.RECENT_CLAIMS, now() - 61_000, "answered-" + number);
            redis.commands().zadd(RedisKeys.VOID_CLAIMS, now() - 61_000, "void-" + number);
        }
        assertThat(reserveAndRetire(6)).isTrue();
        assertThat(redis.commands().zcard(RedisKeys.RECENT_CLAIMS)).isEqualTo(1);
        assertThat(redis.commands().zcard(RedisKeys.VOID_CLAIMS)).isEqualTo(1);
    }

    @Tag("X4")
    @DisplayName("Without budget for a stop the worker stays")
    @Test
    void budgetBoundsRetirements() {
        StopBudget budget = new StopBudget(redis.commands());
        for (int stop = 0; stop < StopBudget.perMinute(0); stop++) {
            assertThat(budget.take(StopBudget.perMinute(0))).isTrue();
        }
        assertThat(reserveAndRetire(1)).isFalse();
        assertThat(reservation("task-1")).isEqualTo(RedisKeys.claim(new UserId("void-1"), 1));
        assertThat(stopped).isEmpty();
    }
}
