package dev.berth.activities.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerHeartbeats;
import dev.berth.workflows.worker.WorkerHeartbeats.HeartbeatKeyState;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisWorkerHeartbeatsTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private static final RedisOutages outages = new RedisOutages();
    private static final RedisWorkerHeartbeats heartbeats = new RedisWorkerHeartbeats(redis.commands(), outages);
    /** Takes no outage for recent. */
    private static final RedisWorkerHeartbeats settled =
            new RedisWorkerHeartbeats(redis.commands(), new RedisOutages(Duration.ZERO));

    @Tag("X2")
    @Tag("A13")
    @DisplayName("A lease is counted from its last renewal; without a word of it, it may just have " + "begun")
    @Test
    void leaseIsCountedFromItsLastRenewal() {
        assertThat(settled.leaseLeft(ALICE, 3)).isEqualTo(WorkerHeartbeats.LEASE_OVER);
        long now = Long.parseLong(redis.commands().time().getFirst()) * 1000;
        redis.commands().set(RedisKeys.renewed(ALICE), "3:" + (now - 20_000));
        assertThat(settled.leaseLeft(ALICE, 3)).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(8));
        assertThat(settled.leaseLeft(ALICE, 4)).as("another worker's").isEqualTo(WorkerHeartbeats.LEASE_OVER);
        redis.commands().set(RedisKeys.renewed(ALICE), "3:" + (now - 30_000));
        assertThat(settled.leaseLeft(ALICE, 3)).isZero();
        assertThat(heartbeats.leaseLeft(ALICE, 3))
                .as("Redis started a moment ago")
                .isEqualTo(WorkerHeartbeats.LEASE_OVER);
        redis.commands().set(RedisKeys.renewed(ALICE), "3:" + (now + 90_000));
        assertThat(settled.leaseLeft(ALICE, 3)).as("a clock that was set back").isEqualTo(WorkerHeartbeats.LEASE_OVER);
    }

    @Tag("A6")
    @DisplayName("The epoch only ever rises, and has no TTL")
    @Test
    void theEpochOnlyRises() {
        assertThat(heartbeats.raiseEpoch(ALICE, 1)).isEqualTo(1);
        assertThat(heartbeats.raiseEpoch(ALICE, 9)).isEqualTo(9);
        assertThat(heartbeats.raiseEpoch(ALICE, 10)).isEqualTo(10);
        assertThat(heartbeats.raiseEpoch(ALICE, 9)).isEqualTo(10);
        assertThat(redis.commands().get("worker:epoch:alice")).isEqualTo("10");
        assertThat(redis.commands().ttl("worker:epoch:alice")).isEqualTo(-1);
    }

    @Test
    void eachUserHasAnEpochOfItsOwn() {
        heartbeats.raiseEpoch(ALICE, 5);
        assertThat(heartbeats.raiseEpoch(BOB, 1)).isEqualTo(1);
    }

    @Tag("A6")
    @DisplayName("A heartbeat that is kept is seen at once, whatever happened to Redis before")
    @Test
    void aKeptHeartbeatIsKept() {
        heartbeatOf(ALICE, 1);
        outages.record();
        assertThat(heartbeats.readKey(ALICE)).isEqualTo(HeartbeatKeyState.PRESENT);
    }

    @DisplayName("What a dead worker left is removed, and nothing of a newer one")
    @Test
    void clearsOnlyItsOwnEpoch() {
        heartbeatOf(ALICE, 2);
        heartbeats.deleteKey(ALICE, 1);
        heartbeats.deleteKey(ALICE, 3);
        assertThat(heartbeats.readKey(ALICE)).isEqualTo(HeartbeatKeyState.PRESENT);
        assertThat(redis.commands().exists("worker:metadata:alice", RedisKeys.HEARTBEATS))
                .isEqualTo(2);

        heartbeats.deleteKey(ALICE, 2);
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE))).isZero();
        assertThat(redis.commands().exists("worker:metadata:alice", RedisKeys.HEARTBEATS))
                .isZero();
        heartbeats.deleteKey(ALICE, 2);
    }

    @Tag("A9")
    @DisplayName("A task of another user is known by its own heartbeats; one of the pool, or unknown, belongs to none")
    @Test
    void taskOfAnother() {
        String arn = "arn:aws:ecs:eu-central-1:1:task/berth/task-9";
        assertThat(heartbeats.isOfAnother(ALICE, arn)).isFalse();
        assertThat(heartbeats.isOfAnother(ALICE, "no ARN")).isFalse();
        redis.commands().set(RedisKeys.task("task-9"), RedisKeys.POOL_USER);
        assertThat(heartbeats.isOfAnother(ALICE, arn)).isFalse();
        redis.commands().set(RedisKeys.task("task-9"), ALICE.value());
        assertThat(heartbeats.isOfAnother(ALICE, arn)).isFalse();
        assertThat(heartbeats.isOfAnother(BOB, arn)).isTrue();
    }

    private static void heartbeatOf(UserId userId, long epoch) {
        redis.commands().set(RedisKeys.heartbeat(userId), "task-1");
        redis.commands().hset(RedisKeys.metadata(userId), "epoch", Long.toString(epoch));
        redis.commands().zadd(RedisKeys.HEARTBEATS, 1, userId.value());
    }
}
