package dev.berth.host.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.UnifiedJedis;

class IdleWorkerKeyTest {
    @RegisterExtension
    private static final HostTestRedis server = new HostTestRedis();

    private final UnifiedJedis redis = server.jedis();
    private final IdleWorkerKey key = new IdleWorkerKey(redis, "task-1");

    @BeforeEach
    void renew() {
        key.renew();
    }

    @Tag("A6")
    @DisplayName("A pool worker renews worker:active:-1:{taskId} for 30 s")
    @Test
    void renewsKey() {
        redis.pexpire("worker:active:-1:task-1", 1_000);
        key.renew();
        assertThat(redis.get("worker:active:-1:task-1")).isEqualTo("task-1");
        assertThat(redis.pttl("worker:active:-1:task-1")).isBetween(29_000L, 30_000L);
    }

    @Test
    void isListedSinceItBecameIdle() {
        Double since = redis.zscore("pool:idle", "task-1");
        key.renew();
        assertThat(redis.zscore("pool:idle", "task-1"))
                .isEqualTo(since)
                .isBetween(System.currentTimeMillis() - 60_000.0, (double) System.currentTimeMillis());
    }

    @Test
    void reservedWorkerIsNotListed() {
        redis.zpopmin("pool:idle");
        redis.set("pool:reserved:task-1", "1");
        key.renew();
        assertThat(redis.zcard("pool:idle")).isZero();
        redis.del("pool:reserved:task-1");
        key.renew();
        assertThat(redis.zscore("pool:idle", "task-1")).isNotNull();
    }

    @Tag("A3")
    @DisplayName("The next renewal tells a retired worker, and renews nothing")
    @Test
    void renewalReportsRetirement() {
        assertThat(key.renew()).isTrue();
        redis.del("worker:active:-1:task-1", "pool:idle");
        redis.set("pool:reserved:task-1", "retired");
        assertThat(key.renew()).isFalse();
        assertThat(redis.exists("worker:active:-1:task-1", "pool:idle")).isZero();
    }

    @Test
    void leaveRemovesKeyAndEntry() {
        key.leave();
        assertThat(redis.exists("worker:active:-1:task-1", "pool:idle")).isZero();
        key.leave();
    }

    @Tag("A1")
    @DisplayName("A late renewal does not return a worker that has a user")
    @Test
    void lateRenewalHasNoEffect() {
        key.leave();
        key.renew();
        assertThat(redis.exists("worker:active:-1:task-1", "pool:idle")).isZero();
    }
}
