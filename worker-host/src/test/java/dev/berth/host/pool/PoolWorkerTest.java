package dev.berth.host.pool;

import static dev.berth.activities.ActivitySamples.ALICE;
import static dev.berth.activities.ActivitySamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostConnections;
import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.host.broker.AlpacaConnector;
import dev.berth.host.broker.AlpacaEndpoints;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.worker.UserWorker;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.pool.ClaimMessage;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PoolWorkerTest {
    @RegisterExtension
    private static final HostTestRedis server = new HostTestRedis();

    private static final RedisCommands<String, String> redis = server.commands();

    private final ExecutorService processes = Executors.newVirtualThreadPerTaskExecutor();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private TestSqs sqs;
    private TestGateway gateway;

    @BeforeEach
    void start() throws Exception {
        redis.set("worker:epoch:alice", "3");
        redis.set("worker:epoch:bob", "1");
        sqs = new TestSqs();
        gateway = new TestGateway(server);
    }

    @AfterEach
    void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        processes.shutdownNow();
        gateway.close();
        sqs.close();
    }

    /** A pool worker that waits for its user. */
    private Future<Optional<UserWorker>> poolWorker(String taskId) throws InterruptedException {
        Future<Optional<UserWorker>> user = waiting(taskId);
        Awaitility.await().until(() -> redis.zscore("pool:idle", taskId) != null);
        return user;
    }

    private Future<Optional<UserWorker>> waiting(String taskId) throws InterruptedException {
        return waiting(taskId, () -> {});
    }

    private Future<Optional<UserWorker>> waiting(String taskId, Runnable beforeStart) throws InterruptedException {
        HostConnections host = TestHost.of(gateway.pool(taskId), taskId);
        BrokerConnector broker = new AlpacaConnector(
                host.http(), new AlpacaEndpoints(TestHost.NOWHERE, null), 1, OrderPolicies.OTHER_CALL);
        ClaimQueue claims = new ClaimQueue("pool-claim");
        PoolWorker worker = new PoolWorker(host, claims);
        open.push(claims);
        open.push(worker);
        return processes.submit(() -> worker.awaitUser(claim -> {
            UserWorker user = new UserWorker(host, claim.userId(), claim.epoch(), broker);
            beforeStart.run();
            return user;
        }));
    }

    private UserWorker claimed(Future<Optional<UserWorker>> waiting) throws Exception {
        UserWorker worker = waiting.get(10, TimeUnit.SECONDS).orElseThrow();
        open.push(worker);
        return worker;
    }

    private static ClaimMessage claim(UserId userId, long epoch, Instant sentAt) {
        return new ClaimMessage(userId, epoch, "task-1", sentAt);
    }

    private static ClaimMessage claim(UserId userId, long epoch) {
        return claim(userId, epoch, Instant.now());
    }

    /** Reserves the first task and sends the claim, as the orchestrator does. */
    private void reserve(UserId userId, long epoch) {
        redis.set(RedisKeys.reserved("task-1"), RedisKeys.claim(userId, epoch));
        sqs.send(claim(userId, epoch));
    }

    @Tag("A3")
    @DisplayName("An idle worker has a key with user id -1 and is listed")
    @Test
    void idleWorkerIsListed() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        assertThat(redis.pttl("worker:active:-1:task-1")).isBetween(25_000L, 30_000L);
        reserve(BOB, 1);
        claimed(waiting);
        assertThat(redis.exists("worker:active:-1:task-1")).isZero();
        assertThat(redis.zcard("pool:idle")).isZero();
    }

    @Tag("A4")
    @DisplayName("A claim gives a pool worker its user, and is deleted")
    @Test
    void claimGivesUser() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        reserve(ALICE, 3);
        UserWorker worker = claimed(waiting);
        assertThat(worker.userId()).isEqualTo(ALICE);
        assertThat(worker.epoch()).isEqualTo(3);
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-1");
        Awaitility.await().until(sqs::isEmpty);
    }

    @Tag("B6")
    @DisplayName("A claim older than 5 min is deleted without effect")
    @Test
    void ignoresStaleClaim() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        sqs.send(claim(ALICE, 3, Instant.now().minusSeconds(301)));
        Awaitility.await().until(sqs::isEmpty);
        assertThat(waiting.isDone()).isFalse();
        assertThat(redis.exists("worker:active:alice")).isZero();
        reserve(BOB, 1);
        assertThat(claimed(waiting).userId()).isEqualTo(BOB);
    }

    @Tag("X4")
    @DisplayName("A claim of a void epoch is deleted; its reader stays in the pool")
    @Test
    void ignoresVoidClaim() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        reserve(ALICE, 2);
        Awaitility.await().until(sqs::isEmpty);
        assertThat(redis.exists("worker:active:alice", "task:task-1")).isZero();
        assertThat(redis.zscore("pool:idle", "task-1")).isNotNull();
        reserve(BOB, 1);
        assertThat(claimed(waiting).userId()).isEqualTo(BOB);
    }

    @Tag("X4")
    @DisplayName("A duplicate claim gives its user one worker")
    @Test
    void duplicateClaimGivesOneWorker() throws Exception {
        Future<Optional<UserWorker>> reserved = poolWorker("task-1");
        Future<Optional<UserWorker>> other = poolWorker("task-2");
        reserve(ALICE, 3);
        sqs.send(claim(ALICE, 3));
        assertThat(claimed(reserved).userId()).isEqualTo(ALICE);
        Awaitility.await().until(sqs::isEmpty);
        assertThat(other.isDone()).isFalse();
    }

    @Tag("A3")
    @DisplayName("A retired pool worker ends without a user")
    @Test
    void retiredWorkerEnds() throws Exception {
        Future<Optional<UserWorker>> retiring = poolWorker("task-1");
        redis.set("pool:reserved:task-1", "retired");
        sqs.send(claim(ALICE, 3));
        assertThat(retiring.get(20, TimeUnit.SECONDS)).isEmpty();
        assertThat(redis.exists("worker:active:alice")).isZero();
    }

    @Tag("A3")
    @DisplayName("A worker ends when its claim is not answered")
    @Test
    void endsWhenReplyIsLost() throws Exception {
        try (Socket other =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            // Longer than the worker waits: Redis executes the claim after the timeout.
            Future<Optional<UserWorker>> waiting = waiting("task-1", () -> send(other, "DEBUG SLEEP 3.9"));
            send(other, "PING");
            other.getInputStream().read();
            reserve(ALICE, 3);
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(redis.get("task:task-1"))
                        .as("its claim was taken")
                        .isEqualTo("alice"));
        assertThat(redis.exists("worker:active:alice")).isZero();
        assertThat(sqs.isEmpty()).isTrue();
    }

    private static void send(Socket redis, String command) {
        try {
            redis.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Tag("A3")
    @DisplayName("A refusing SQS is polled once a second and logged once")
    @Test
    void pausesWhileSqsRefuses() throws Exception {
        try (RefusingSqs refusing = new RefusingSqs();
                Warnings warnings = new Warnings(PoolWorker.class)) {
            long begin = System.nanoTime();
            Future<Optional<UserWorker>> waiting = poolWorker("task-1");
            Awaitility.await().until(() -> refusing.reads() >= 3);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
            assertThat(warnings.all()).hasSize(1);
            assertThat(waiting.isDone()).isFalse();
        }
    }

    @Tag("B6")
    @DisplayName("A message that is no claim is deleted")
    @Test
    void deletesUnreadableMessage() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        sqs.send("{\"hello\":\"world\"}");
        sqs.send("no JSON at all");
        Awaitility.await().until(sqs::isEmpty);
        reserve(BOB, 1);
        assertThat(claimed(waiting).userId()).isEqualTo(BOB);
    }

    @Tag("X4")
    @DisplayName("Only the reserved task takes a claim")
    @Test
    void onlyReservedTaskTakesClaim() throws Exception {
        redis.set("pool:reserved:task-1", "bob:1");
        Future<Optional<UserWorker>> other = poolWorker("task-2");
        Future<Optional<UserWorker>> third = poolWorker("task-3");
        sqs.send(claim(BOB, 1));
        Future<Optional<UserWorker>> reserved = waiting("task-1");
        assertThat(claimed(reserved).userId()).isEqualTo(BOB);
        assertThat(List.of(other.isDone(), third.isDone())).containsOnly(false);
        assertThat(redis.zrange("pool:idle", 0, -1)).containsExactlyInAnyOrder("task-2", "task-3");
    }

    @Tag("X4")
    @DisplayName("Any process deletes a claim whose reservation has expired")
    @Test
    void deletesExpiredClaimOfOtherTask() throws Exception {
        Future<Optional<UserWorker>> other = poolWorker("task-2");
        sqs.send(claim(BOB, 1));
        Awaitility.await().until(sqs::isEmpty);
        assertThat(other.isDone()).isFalse();
        assertThat(redis.exists("worker:active:bob")).isZero();
    }
}
