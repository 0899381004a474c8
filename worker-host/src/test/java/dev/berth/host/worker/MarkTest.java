package dev.berth.host.worker;

import static dev.berth.host.Samples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestHost;
import dev.berth.host.TestRedis;
import dev.berth.host.worker.Mark.Verdict;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.UnifiedJedis;

class MarkTest {
    private static final Occupation NOTHING = new Occupation("", "", "", "");
    private static TestRedis server;
    private static UnifiedJedis redis;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = TestRedis.start(folder);
        redis = server.client();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void epochSeven() {
        redis.flushAll();
        redis.set("worker:epoch:alice", "7");
    }

    private static Mark mark(String taskId, long epoch) {
        return new Mark(redis, ALICE, epoch, TestHost.task(taskId), "1.2.3");
    }

    @DisplayName("A6 the mark lives 30 s and names the task; its metadata live as long and say all of it")
    @Test
    void setsTheMark() {
        assertThat(mark("task-1", 7).keep(NOTHING)).isEqualTo(Verdict.MINE);
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-1");
        assertThat(redis.pttl("worker:active:alice")).isBetween(29_000L, 30_000L);
        assertThat(redis.pttl("worker:metadata:alice")).isBetween(29_000L, 30_000L);
        assertThat(redis.ttl("worker:epoch:alice")).isEqualTo(-1);
        assertThat(redis.get("task:task-1")).isEqualTo("alice");
        var metadata = redis.hgetAll("worker:metadata:alice");
        assertThat(metadata)
                .containsOnlyKeys(
                        "task_arn",
                        "instance_id",
                        "launched_at",
                        "epoch",
                        "version",
                        "host",
                        "pid",
                        "current_order",
                        "last_order_at",
                        "idle_at",
                        "sessions")
                .containsEntry("task_arn", TestHost.task("task-1").taskArn())
                .containsEntry("epoch", "7")
                .containsEntry("version", "1.2.3")
                .containsEntry("host", "host-1")
                .containsEntry("pid", "4711");
        assertThat(Instant.parse(metadata.get("launched_at"))).isBeforeOrEqualTo(Instant.now());
    }

    @DisplayName("X5 a list tells when each mark runs out, so that somebody looks at it then")
    @Test
    void listsWhenItRunsOut() {
        Mark mark = mark("task-1", 7);
        mark.keep(NOTHING);
        assertThat(redis.zscore("worker:marks", "alice"))
                .isCloseTo(System.currentTimeMillis() + 30_000.0, Offset.offset(5_000.0));
        redis.zadd("worker:marks", 1, "alice");
        mark.keep(NOTHING);
        assertThat(redis.zscore("worker:marks", "alice")).isGreaterThan(System.currentTimeMillis() + 20_000.0);
    }

    @DisplayName("A3 a pool worker that is retired takes no claim; one with a claim on its way does")
    @Test
    void aRetiredWorkerTakesNoClaim() {
        redis.set("pool:reserved:task-1", "retired");
        redis.set("pool:reserved:task-2", "1");
        assertThat(mark("task-1", 7).keep(NOTHING)).isEqualTo(Verdict.TAKEN);
        assertThat(redis.exists("worker:active:alice")).isFalse();
        assertThat(redis.exists("task:task-1")).isFalse();
        assertThat(mark("task-2", 7).keep(NOTHING)).isEqualTo(Verdict.MINE);
    }

    @DisplayName("A6 a renewal extends the mark to 30 s again")
    @Test
    void extendsTheMark() {
        Mark mark = mark("task-1", 7);
        mark.keep(NOTHING);
        redis.pexpire("worker:active:alice", 1_000);
        redis.pexpire("worker:metadata:alice", 1_000);
        assertThat(mark.keep(NOTHING)).isEqualTo(Verdict.MINE);
        assertThat(redis.pttl("worker:active:alice")).isGreaterThan(29_000);
        assertThat(redis.pttl("worker:metadata:alice")).isGreaterThan(29_000);
    }

    @DisplayName("A6 another epoch than the current one, or none, gets no mark; only a higher one is a successor")
    @Test
    void needsTheCurrentEpoch() {
        assertThat(mark("task-1", 6).keep(NOTHING)).isEqualTo(Verdict.SUPERSEDED);
        assertThat(mark("task-1", 8).keep(NOTHING)).isEqualTo(Verdict.EPOCH_OLDER);
        redis.del("worker:epoch:alice");
        assertThat(mark("task-1", 7).keep(NOTHING)).isEqualTo(Verdict.EPOCH_LOST);
        assertThat(redis.exists("worker:active:alice")).isFalse();
    }

    @DisplayName("A6 two tasks never have the mark at once, not even with the same epoch")
    @Test
    void oneHolderAtATime() {
        mark("task-1", 7).keep(NOTHING);
        assertThat(mark("task-2", 7).keep(NOTHING)).isEqualTo(Verdict.TAKEN);
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-1");
    }

    @DisplayName("X6 a mark that Redis lost is made again, but only by the worker of the current epoch")
    @Test
    void aLostMarkIsMadeAgain() {
        Mark mark = mark("task-1", 7);
        mark.keep(NOTHING);
        redis.del("worker:active:alice", "worker:metadata:alice");
        assertThat(mark.keep(NOTHING)).isEqualTo(Verdict.MINE);
        assertThat(redis.hget("worker:metadata:alice", "epoch")).isEqualTo("7");

        redis.del("worker:active:alice", "worker:metadata:alice");
        redis.set("worker:epoch:alice", "8");
        assertThat(mark.keep(NOTHING)).isEqualTo(Verdict.SUPERSEDED);
        assertThat(redis.exists("worker:active:alice")).isFalse();
    }

    @Test
    void removesOnlyItsOwn() {
        mark("task-1", 7).keep(NOTHING);
        mark("task-2", 7).remove();
        assertThat(redis.exists("worker:active:alice", "worker:metadata:alice")).isEqualTo(2);
        mark("task-1", 7).remove();
        assertThat(redis.exists("worker:active:alice", "worker:metadata:alice")).isZero();
    }

    /** What the worker is told by its mark. */
    private static final class Heard {
        final List<String> ends = new CopyOnWriteArrayList<>();
        final AtomicInteger unknown = new AtomicInteger();
    }

    private static Lease lease() {
        return new Lease(System::nanoTime, Clock.systemUTC());
    }

    @DisplayName("X2 a claim gives the lease, and closing ends it and removes the mark")
    @Test
    void claimAndClose() {
        Lease lease = lease();
        MarkKeeper keeper = new MarkKeeper(mark("task-1", 7), lease, () -> NOTHING, _ -> {}, () -> {});
        assertThat(keeper.claim()).isTrue();
        assertThat(lease.isValid()).isTrue();
        keeper.close();
        assertThat(lease.isValid()).isFalse();
        assertThat(redis.exists("worker:active:alice")).isFalse();
    }

    @DisplayName("X2 a void epoch, another holder and a lost epoch all give no lease")
    @Test
    void noLeaseWithoutTheMark() {
        mark("task-1", 7).keep(NOTHING);
        assertThat(claims("task-2", 7)).isFalse();
        assertThat(claims("task-1", 6)).isFalse();
        redis.del("worker:epoch:alice");
        assertThat(claims("task-1", 7)).isFalse();
    }

    private static boolean claims(String taskId, long epoch) {
        Lease lease = lease();
        MarkKeeper keeper = new MarkKeeper(mark(taskId, epoch), lease, () -> NOTHING, _ -> {}, () -> {});
        boolean claimed = keeper.claim();
        assertThat(lease.isValid()).isEqualTo(claimed);
        return claimed;
    }

    @DisplayName("A6 the mark is renewed every 5 s; a worker that sees a newer epoch is told and loses its lease")
    @Test
    void renewsUntilItIsSuperseded() {
        Heard heard = new Heard();
        Lease lease = lease();
        try (MarkKeeper keeper = new MarkKeeper(
                mark("task-1", 7), lease, () -> NOTHING, heard.ends::add, heard.unknown::incrementAndGet)) {
            keeper.claim();
            keeper.start();
            redis.del("worker:active:alice");
            Awaitility.await().atMost(Duration.ofSeconds(7)).until(() -> redis.exists("worker:active:alice"));
            assertThat(heard.ends).isEmpty();

            redis.set("worker:epoch:alice", "8");
            Awaitility.await().atMost(Duration.ofSeconds(7)).until(() -> heard.ends.size() == 1);
            assertThat(lease.isValid()).isFalse();
        }
    }

    @DisplayName(
            "E10 Redis lost the epoch: it is told on, the lease is not renewed, and once it is back so is the mark")
    @Test
    void aLostEpoch() {
        Heard heard = new Heard();
        try (MarkKeeper keeper = new MarkKeeper(
                mark("task-1", 7), lease(), () -> NOTHING, heard.ends::add, heard.unknown::incrementAndGet)) {
            keeper.claim();
            keeper.start();
            redis.flushAll();
            Awaitility.await().atMost(Duration.ofSeconds(7)).until(() -> heard.unknown.get() > 0);
            assertThat(redis.exists("worker:active:alice")).isFalse();
            redis.set("worker:epoch:alice", "7");
            Awaitility.await().atMost(Duration.ofSeconds(6)).until(() -> redis.exists("worker:active:alice"));
            assertThat(heard.ends).isEmpty();
        }
    }

    @DisplayName("A12 a released mark is gone and stays gone, the lease goes on; taken back, it is there again")
    @Test
    void releaseAndTakeBack() {
        Lease lease = lease();
        try (MarkKeeper keeper = new MarkKeeper(mark("task-1", 7), lease, () -> NOTHING, _ -> {}, () -> {})) {
            keeper.claim();
            keeper.release();
            assertThat(redis.exists("worker:active:alice")).isFalse();
            assertThat(lease.isValid()).isTrue();
            keeper.tell();
            keeper.takeBack();
            Awaitility.await().until(() -> redis.exists("worker:active:alice"));
        }
    }

    @DisplayName("D2 the metadata say which order is in hand, when the last one was taken, and what is open")
    @Test
    void saysWhatItDoes() {
        Mark mark = mark("task-1", 7);
        mark.keep(NOTHING);
        mark.tell(new Occupation("o-1", "2026-03-02T12:00:00Z", "", "alpaca/equity/paper/paper"));
        assertThat(redis.hgetAll("worker:metadata:alice"))
                .containsEntry("current_order", "o-1")
                .containsEntry("last_order_at", "2026-03-02T12:00:00Z")
                .containsEntry("idle_at", "")
                .containsEntry("sessions", "alpaca/equity/paper/paper");
        mark.keep(new Occupation("", "2026-03-02T12:00:01Z", "2026-03-02T12:30:01Z", "alpaca/equity/paper/other"));
        assertThat(redis.hgetAll("worker:metadata:alice"))
                .containsEntry("current_order", "")
                .containsEntry("last_order_at", "2026-03-02T12:00:01Z")
                .containsEntry("idle_at", "2026-03-02T12:30:01Z")
                .containsEntry("sessions", "alpaca/equity/paper/other");
        mark.remove();
        mark.tell(NOTHING);
        assertThat(redis.exists("worker:metadata:alice")).isFalse();
    }

    @DisplayName("E10 Redis away: the mark is tried again and again, and is there within 6 s of its return")
    @Test
    void redisAway() throws Exception {
        Lease lease = lease();
        AtomicInteger unknown = new AtomicInteger();
        Heard heard = new Heard();
        try (MarkKeeper keeper =
                new MarkKeeper(mark("task-1", 7), lease, () -> NOTHING, heard.ends::add, unknown::incrementAndGet)) {
            keeper.claim();
            keeper.start();
            redis.del("worker:active:alice");
            server.goAway();
            Awaitility.await().pollDelay(Duration.ofSeconds(8)).until(() -> true);
            assertThat(lease.isValid()).isTrue();
            server.comeBack();
            Awaitility.await()
                    .ignoreExceptions()
                    .atMost(Duration.ofSeconds(6))
                    .until(() -> redis.exists("worker:active:alice"));
            assertThat(unknown).hasValue(0);
            assertThat(heard.ends).isEmpty();
        }
    }
}
