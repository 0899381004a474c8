package dev.berth.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.api.BerthSettingsTest;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DueMarksTest {
    private static final UserId ALICE = new UserId("alice");
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Redis by itself goes through them in minutes. */
    private static final int OTHERS = 60_000;

    @TempDir
    private Path folder;

    private ToldServers servers;
    private RedisCommands<String, String> redis;
    private MarkExpiry expiry;
    private DueMarks marks;

    @BeforeEach
    void start() throws Exception {
        servers = ToldServers.start(folder);
        servers.startLifecycle(ALICE);
        servers.startPool();
        redis = servers.redis().sync();
        expiry = new MarkExpiry(
                servers.redisClient(),
                BerthSettingsTest.start("--berth.redis-uri=" + servers.redisUri()),
                servers.redis(),
                servers.lifecycles());
        marks = new DueMarks(expiry, servers.redis());
    }

    @AfterEach
    void close() {
        marks.stop();
        expiry.stop();
        servers.close();
    }

    /** Keys that run out in an hour, as those of tasks do. */
    private void others() {
        for (int first = 0; first < OTHERS; first += 1_000) {
            redis.eval(
                    "for n = 1, 1000 do redis.call('SET', 'task:' .. ARGV[1] + n, 'alice', 'EX', 3600) end return 1",
                    ScriptOutputType.INTEGER,
                    new String[0],
                    Integer.toString(first));
        }
    }

    private void mark(UserId user, long millis) {
        redis.psetex(RedisKeys.mark(user), millis, "task-1");
        redis.zadd(RedisKeys.MARKS, (double) System.currentTimeMillis() + millis, user.value());
    }

    private boolean isTold() {
        return !servers.told("worker:alice").isEmpty() && !servers.told("pool").isEmpty();
    }

    @DisplayName("A13 X5 a mark that runs out is told at once, however many other keys there are that will")
    @Test
    void announced() {
        others();
        mark(ALICE, 500);
        mark(new UserId("bob"), 60_000);
        redis.psetex(RedisKeys.poolMark("task-2"), 500, "-1");
        redis.zadd(RedisKeys.POOL_IDLE, 1, "task-2");
        expiry.start();
        marks.start();
        await().atMost(SOON).until(this::isTold);
        assertThat(servers.told("worker:alice")).containsExactly("markExpired");
        await().until(() -> redis.zrange(RedisKeys.MARKS, 0, -1), List.of("bob")::equals);
    }

    @DisplayName("X5 an orchestrator that starts later does not have it announced before it listens")
    @Test
    void nobodyListens() {
        others();
        mark(ALICE, 1);
        redis.psetex(RedisKeys.poolMark("task-2"), 1, "-1");
        redis.zadd(RedisKeys.POOL_IDLE, 1, "task-2");
        marks.round();
        expiry.start();
        await().until(expiry::isListening);
        marks.round();
        await().atMost(SOON).until(this::isTold);
    }

    @DisplayName("X5 a mark that was removed is off the list, and one that was renewed is looked at when it runs out")
    @Test
    void removedOrRenewed() {
        redis.psetex(RedisKeys.mark(ALICE), 60_000, "task-1");
        redis.zadd(RedisKeys.MARKS, 1, "alice");
        redis.zadd(RedisKeys.MARKS, 1, "closed");
        expiry.start();
        await().until(expiry::isListening);
        marks.round();
        assertThat(redis.zrange(RedisKeys.MARKS, 0, -1)).containsExactly("alice");
        assertThat(redis.zscore(RedisKeys.MARKS, "alice")).isGreaterThan(System.currentTimeMillis() + 30_000.0);
    }
}
