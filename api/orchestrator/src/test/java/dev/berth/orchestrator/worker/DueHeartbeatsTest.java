package dev.berth.orchestrator.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DueHeartbeatsTest {
    private static final String LIFECYCLE = "worker:alice";
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Redis alone takes minutes to find an expired key among these. */
    private static final int OTHER_KEYS = 60_000;

    private final RecordingServers servers = new RecordingServers();
    private final RedisCommands<String, String> redis = servers.redis().sync();
    private final DueHeartbeats heartbeats = replica();

    @BeforeEach
    void start() {
        servers.startLifecycle(ALICE);
        servers.startPool();
    }

    @AfterEach
    void close() {
        heartbeats.stop();
        servers.close();
    }

    private DueHeartbeats replica() {
        return new DueHeartbeats(
                servers.redis(), servers.lifecycles(), LaunchTargets.of(new LaunchTarget("berth", "berth-worker")));
    }

    private void addOtherKeys() {
        for (int first = 0; first < OTHER_KEYS; first += 1_000) {
            redis.eval(
                    "for n = 1, 1000 do redis.call('SET', 'task:' .. ARGV[1] + n, 'alice', 'EX', 3600) end return 1",
                    ScriptOutputType.INTEGER,
                    new String[0],
                    Integer.toString(first));
        }
    }

    private void keepHeartbeat(UserId user, long millis) {
        redis.psetex(RedisKeys.heartbeat(user), millis, "task-1");
        redis.zadd(RedisKeys.HEARTBEATS, (double) System.currentTimeMillis() + millis, user.value());
    }

    private void expire(UserId user) {
        redis.del(RedisKeys.heartbeat(user));
        redis.zadd(RedisKeys.HEARTBEATS, 1, user.value());
    }

    private List<String> listed() {
        return redis.zrange(RedisKeys.HEARTBEATS, 0, -1);
    }

    @Tag("A13")
    @Tag("X5")
    @DisplayName("An expired heartbeat key is signalled at once, however many other keys Redis holds")
    @Test
    void expiredKeyIsSignalledAtOnce() {
        addOtherKeys();
        keepHeartbeat(ALICE, 500);
        keepHeartbeat(new UserId("bob"), 60_000);
        redis.psetex(RedisKeys.poolHeartbeat("task-2"), 500, "-1");
        redis.zadd(RedisKeys.POOL_IDLE, 1, "task-2");
        heartbeats.start();
        await().atMost(SOON)
                .until(() -> !servers.told(LIFECYCLE).isEmpty()
                        && !servers.told("pool").isEmpty());
        await().until(this::listed, List.of("bob")::equals);
        await().until(() -> redis.zcard(RedisKeys.POOL_IDLE) == 0);
        assertThat(servers.told(LIFECYCLE)).containsExactly("heartbeatExpired");
        assertThat(servers.told("pool")).containsExactly("refill");
    }

    @Tag("X5")
    @DisplayName("A user without a lifecycle does not keep the signal from others")
    @Test
    void userWithoutLifecycleIsSkipped() throws Exception {
        expire(new UserId("a-user-without-lifecycle"));
        expire(ALICE);
        heartbeats.round();
        assertThat(servers.told(LIFECYCLE)).containsExactly("heartbeatExpired");
        assertThat(servers.told("pool")).isEmpty();
        assertThat(listed()).isEmpty();
    }

    @Tag("X5")
    @DisplayName("A renewed heartbeat key is read again when it is due")
    @Test
    void renewedKeyIsReadAgainWhenDue() throws Exception {
        redis.psetex(RedisKeys.heartbeat(ALICE), 60_000, "task-1");
        redis.zadd(RedisKeys.HEARTBEATS, 1, "alice");
        redis.psetex(RedisKeys.poolHeartbeat("task-2"), 60_000, "-1");
        redis.zadd(RedisKeys.POOL_IDLE, 1, "task-2");
        heartbeats.round();
        assertThat(redis.zscore(RedisKeys.HEARTBEATS, "alice")).isGreaterThan(System.currentTimeMillis() + 30_000.0);
        assertThat(redis.zcard(RedisKeys.POOL_IDLE)).isOne();
        assertThat(servers.told(LIFECYCLE)).isEmpty();
        assertThat(servers.told("pool")).isEmpty();
    }

    @Tag("B7")
    @DisplayName("Several replicas share the expired keys, so that each is signalled once")
    @Test
    void replicasShareExpiredKeys() throws Exception {
        expire(ALICE);
        assertThat(replica().claimExpired()).containsExactly(ALICE);
        heartbeats.round();
        assertThat(servers.told(LIFECYCLE)).isEmpty();
    }

    @Tag("X5")
    @DisplayName("Another replica signals a key that a replica claimed before it died")
    @Test
    void claimOfDeadReplicaEnds() throws Exception {
        expire(ALICE);
        replica().claimExpired();
        assertThat(redis.zscore(RedisKeys.HEARTBEATS, "alice"))
                .isBetween(System.currentTimeMillis() - 1_000.0, System.currentTimeMillis() + 5_000.0);
        redis.zadd(RedisKeys.HEARTBEATS, 1, "alice");
        heartbeats.round();
        assertThat(servers.told(LIFECYCLE)).containsExactly("heartbeatExpired");
    }

    @Tag("X5")
    @DisplayName("Without Redis nothing is signalled; once it is back, expired keys are")
    @Test
    void signalsAgainAfterRedisOutage() throws Exception {
        expire(ALICE);
        servers.redisGoes();
        heartbeats.start();
        assertThat(servers.told(LIFECYCLE)).isEmpty();
        servers.redisComes();
        await().until(() -> servers.told(LIFECYCLE).contains("heartbeatExpired"));
    }
}
