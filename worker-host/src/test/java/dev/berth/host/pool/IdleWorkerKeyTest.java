package dev.berth.host.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class IdleWorkerKeyTest {
    @RegisterExtension
    private static final HostTestRedis server = new HostTestRedis();

    private final RedisCommands<String, String> redis = server.commands();
    private TestGateway gateway;
    private IdleWorkerKey key;

    @BeforeEach
    void renew() throws Exception {
        gateway = new TestGateway(server);
        key = new IdleWorkerKey(gateway.pool("task-1").client(), "task-1");
        key.renew();
    }

    @AfterEach
    void stop() {
        gateway.close();
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
