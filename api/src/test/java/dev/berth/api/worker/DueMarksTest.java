package dev.berth.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DueMarksTest {
    private static final UserId ALICE = new UserId("alice");
    /** Redis by itself goes through them in minutes. */
    private static final int OTHERS = 60_000;

    @TempDir
    private Path folder;

    private ToldServers servers;
    private RedisCommands<String, String> redis;
    private DueMarks marks;
    private final Collection<String> announced = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws Exception {
        servers = ToldServers.start(folder);
        StatefulRedisConnection<String, String> connection = servers.redis();
        redis = connection.sync();
        marks = new DueMarks(connection);
        StatefulRedisPubSubConnection<String, String> hearing =
                servers.redisClient().connectPubSub();
        hearing.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String key) {
                announced.add(key);
            }
        });
        hearing.sync().subscribe("__keyevent@0__:expired");
    }

    @AfterEach
    void close() {
        marks.stop();
        servers.close();
    }

    /** Keys that run out in an hour, as those of tasks do. */
    private void others() {
        redis.eval(
                "for n = 1, ARGV[1] do redis.call('SET', 'task:' .. n, 'alice', 'EX', 3600) end return 1",
                ScriptOutputType.INTEGER,
                new String[0],
                Integer.toString(OTHERS));
    }

    private void mark(UserId user, long millis) {
        redis.psetex(RedisKeys.mark(user), millis, "task-1");
        redis.zadd(RedisKeys.MARKS, (double) System.currentTimeMillis() + millis, user.value());
    }

    @DisplayName("A13 X5 a mark that runs out is announced within 2 s, however many other keys there are")
    @Test
    void announced() {
        others();
        IntStream.range(0, 10).forEach(number -> mark(new UserId("user-" + number), 500));
        redis.psetex(RedisKeys.poolMark("task-2"), 500, "-1");
        redis.zadd(RedisKeys.POOL_IDLE, 1, "task-2");
        mark(ALICE, 60_000);
        marks.start();
        await().atMost(Duration.ofSeconds(2)).until(() -> announced.size() == 11);
        assertThat(announced).contains("worker:active:-1:task-2", "worker:active:user-9");
        assertThat(redis.zrange(RedisKeys.MARKS, 0, -1)).containsExactly("alice");
    }

    @DisplayName("X5 a mark that was removed is announced to nobody, and one that was renewed stays listed")
    @Test
    void removedOrRenewed() {
        mark(ALICE, 60_000);
        redis.zadd(RedisKeys.MARKS, 1, "alice");
        redis.zadd(RedisKeys.MARKS, 1, "closed");
        marks.round();
        assertThat(redis.zrange(RedisKeys.MARKS, 0, -1)).containsExactly("alice");
        assertThat(announced).isEmpty();
    }
}
