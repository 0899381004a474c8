package dev.berth.activities.worker;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerMarks.Mark;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisWorkerMarksTest {
    private static TestRedis redis;
    private static RedisWorkerMarks marks;
    private static final RedisOutages outages = new RedisOutages();

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
        marks = new RedisWorkerMarks(redis.commands(), outages);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void forget() {
        redis.forgetEverything();
    }

    @DisplayName("A6 the epoch only ever rises, and has no TTL")
    @Test
    void theEpochOnlyRises() {
        assertThat(marks.raiseEpoch(ALICE, 1)).isEqualTo(1);
        assertThat(marks.raiseEpoch(ALICE, 9)).isEqualTo(9);
        assertThat(marks.raiseEpoch(ALICE, 10)).isEqualTo(10);
        assertThat(marks.raiseEpoch(ALICE, 9)).isEqualTo(10);
        assertThat(redis.commands().get("worker:epoch:alice")).isEqualTo("10");
        assertThat(redis.commands().ttl("worker:epoch:alice")).isEqualTo(-1);
    }

    @Test
    void eachUserHasAnEpochOfItsOwn() {
        marks.raiseEpoch(ALICE, 5);
        assertThat(marks.raiseEpoch(BOB, 1)).isEqualTo(1);
    }

    @DisplayName("A6 a mark that is kept is seen at once, whatever happened to Redis before")
    @Test
    void aKeptMarkIsKept() {
        markOf(ALICE, 1);
        outages.happened();
        assertThat(marks.look(ALICE)).isEqualTo(Mark.KEPT);
    }

    @DisplayName("What a dead worker left is removed, and nothing of a newer one")
    @Test
    void clearsOnlyItsOwnEpoch() {
        markOf(ALICE, 2);
        marks.clear(ALICE, 1);
        marks.clear(ALICE, 3);
        assertThat(marks.look(ALICE)).isEqualTo(Mark.KEPT);
        assertThat(redis.commands().exists("worker:metadata:alice")).isEqualTo(1);

        marks.clear(ALICE, 2);
        assertThat(redis.commands().exists(RedisKeys.mark(ALICE))).isZero();
        assertThat(redis.commands().exists("worker:metadata:alice")).isZero();
        marks.clear(ALICE, 2);
    }

    private static void markOf(UserId userId, long epoch) {
        redis.commands().set(RedisKeys.mark(userId), "task-1");
        redis.commands().hset(RedisKeys.metadata(userId), "epoch", Long.toString(epoch));
    }
}
