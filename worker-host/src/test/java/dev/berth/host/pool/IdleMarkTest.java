package dev.berth.host.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.resps.Tuple;

class IdleMarkTest {
    private TestRedis server;
    private UnifiedJedis redis;
    private IdleMark mark;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        server = TestRedis.start(folder);
        redis = server.client();
        mark = new IdleMark(redis, "task-1");
        mark.keep();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @DisplayName("A6 a pool worker marks worker:active:-1:{taskId} for 30 s and renews it")
    @Test
    void keepsTheMark() {
        redis.pexpire("worker:active:-1:task-1", 1_000);
        mark.keep();
        assertThat(redis.get("worker:active:-1:task-1")).isEqualTo("task-1");
        assertThat(redis.pttl("worker:active:-1:task-1")).isBetween(29_000L, 30_000L);
    }

    @Test
    void itsPlaceOnTheListIsTheMomentAtWhichItBecameIdle() {
        Double since = redis.zscore("pool:idle", "task-1");
        mark.keep();
        assertThat(redis.zscore("pool:idle", "task-1"))
                .isEqualTo(since)
                .isBetween(System.currentTimeMillis() - 60_000.0, (double) System.currentTimeMillis());
    }

    @Test
    void aReservedWorkerStaysOffTheListUntilItsReservationIsOver() {
        redis.zpopmin("pool:idle");
        redis.set("pool:reserved:task-1", "1");
        mark.keep();
        assertThat(redis.zcard("pool:idle")).isZero();
        redis.del("pool:reserved:task-1");
        mark.keep();
        assertThat(redis.zscore("pool:idle", "task-1")).isNotNull();
    }

    @DisplayName("A3 a retired worker hears of it at its next renewal, and renews nothing")
    @Test
    void isTold() {
        assertThat(mark.keep()).isTrue();
        redis.del("worker:active:-1:task-1", "pool:idle");
        redis.set("pool:reserved:task-1", "retired");
        assertThat(mark.keep()).isFalse();
        assertThat(mark.isRetired()).isTrue();
        assertThat(redis.exists("worker:active:-1:task-1", "pool:idle")).isZero();
    }

    @Test
    void leavesThePool() {
        mark.leave("task-1");
        assertThat(redis.exists("worker:active:-1:task-1", "pool:idle")).isZero();
        mark.leave("");
    }

    @DisplayName("A1 a renewal that comes late does not bring back who has left for a user")
    @Test
    void staysAway() {
        mark.leave("task-1");
        mark.keep();
        assertThat(redis.exists("worker:active:-1:task-1", "pool:idle")).isZero();
    }

    @Test
    void givesTheReservedOneItsPlaceBackIfItLives() {
        redis.set("pool:reserved:task-3", "1700000000000");
        mark.leave("task-3");
        assertThat(redis.exists("pool:idle")).isFalse();
        mark = new IdleMark(redis, "task-1");
        mark.keep();
        redis.set("worker:active:-1:task-2", "task-2");
        redis.set("pool:reserved:task-2", "1700000000000");
        mark.leave("task-2");
        assertThat(redis.zrangeWithScores("pool:idle", 0, -1))
                .containsExactly(new Tuple("task-2", 1_700_000_000_000.0));
    }

    @DisplayName("E2 one that is retired gets no place back, nor one whose reservation is over already")
    @Test
    void givesNoPlaceToTheRetired() {
        redis.set("worker:active:-1:task-2", "task-2");
        redis.set("pool:reserved:task-2", "retired");
        mark.leave("task-2");
        assertThat(redis.exists("pool:idle")).isFalse();
        mark = new IdleMark(redis, "task-1");
        mark.keep();
        redis.del("pool:reserved:task-2");
        mark.leave("task-2");
        assertThat(redis.exists("pool:idle")).isFalse();
    }
}
