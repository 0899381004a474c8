package dev.berth.host.pool;

import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostConnections;
import dev.berth.host.TestHost;
import dev.berth.host.TestRedis;
import dev.berth.host.broker.AlpacaConnector;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.worker.UserWorker;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.resps.Tuple;

class PoolWorkerTest {
    private final ExecutorService processes = Executors.newVirtualThreadPerTaskExecutor();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private TestRedis server;
    private UnifiedJedis redis;
    private TestSqs sqs;
    private TestWorkflowEnvironment temporal;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        server = TestRedis.start(folder);
        redis = server.client();
        redis.set("worker:epoch:alice", "3");
        redis.set("worker:epoch:bob", "1");
        sqs = new TestSqs();
        temporal = TestWorkflowEnvironment.newInstance();
    }

    @AfterEach
    void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        processes.shutdownNow();
        temporal.close();
        sqs.close();
        server.close();
    }

    /** A pool worker that waits for its user. */
    private Future<Optional<UserWorker>> poolWorker(String taskId) {
        Future<Optional<UserWorker>> user = waiting(taskId);
        Awaitility.await().until(() -> redis.zscore("pool:idle", taskId) != null);
        return user;
    }

    private Future<Optional<UserWorker>> waiting(String taskId) {
        return waiting(taskId, () -> {});
    }

    private Future<Optional<UserWorker>> waiting(String taskId, Runnable beforeItBegins) {
        HostConnections host = TestHost.of(server, temporal, TestHost.NOWHERE, taskId, 1);
        BrokerConnector broker = new AlpacaConnector(host.http(), TestHost.NOWHERE, 1);
        ClaimQueue claims = new ClaimQueue("pool-claim");
        PoolWorker worker = new PoolWorker(host, claims);
        open.push(claims);
        open.push(worker);
        return processes.submit(() -> worker.awaitUser(claim -> {
            UserWorker user = new UserWorker(host, claim.userId(), claim.epoch(), broker);
            beforeItBegins.run();
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

    @DisplayName("A3 a pool worker keeps a mark with user id -1 for 30 s, and its place on the idle list")
    @Test
    void marksItselfIdle() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        assertThat(redis.pttl("worker:active:-1:task-1")).isBetween(25_000L, 30_000L);
        sqs.send(claim(BOB, 1));
        claimed(waiting);
        assertThat(redis.exists("worker:active:-1:task-1")).isFalse();
        assertThat(redis.zcard("pool:idle")).isZero();
    }

    @DisplayName("A4 a claim makes a pool worker its user's: it holds the mark, and the message is gone")
    @Test
    void takesTheUserOn() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        sqs.send(claim(ALICE, 3));
        UserWorker worker = claimed(waiting);
        assertThat(worker.userId()).isEqualTo(ALICE);
        assertThat(worker.epoch()).isEqualTo(3);
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-1");
        Awaitility.await().until(sqs::isEmpty);
    }

    @DisplayName("B6 a claim older than 5 min is not acted on, and is deleted")
    @Test
    void passesOverAStaleClaim() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        sqs.send(claim(ALICE, 3, Instant.now().minusSeconds(301)));
        Awaitility.await().until(sqs::isEmpty);
        assertThat(waiting.isDone()).isFalse();
        assertThat(redis.exists("worker:active:alice")).isFalse();
        sqs.send(claim(BOB, 1));
        assertThat(claimed(waiting).userId()).isEqualTo(BOB);
    }

    @DisplayName("X4 a claim of a void epoch is not acted on, and its reader stays in the pool")
    @Test
    void passesOverAVoidClaim() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        sqs.send(claim(ALICE, 2));
        Awaitility.await().until(sqs::isEmpty);
        assertThat(redis.exists("worker:active:alice")).isFalse();
        assertThat(redis.zscore("pool:idle", "task-1")).isNotNull();
        sqs.send(claim(BOB, 1));
        assertThat(claimed(waiting).userId()).isEqualTo(BOB);
    }

    @DisplayName("X4 a claim that is delivered twice gives its user one worker")
    @Test
    void oneWorkerForADuplicate() throws Exception {
        List<Future<Optional<UserWorker>>> waiting = List.of(poolWorker("task-1"), poolWorker("task-2"));
        sqs.send(claim(ALICE, 3));
        sqs.send(claim(ALICE, 3));
        Awaitility.await().until(() -> sqs.isEmpty() && waiting.stream().anyMatch(Future::isDone));
        assertThat(waiting.stream().filter(Future::isDone)).hasSize(1);
        sqs.send(claim(BOB, 1));
        assertThat(List.of(
                        claimed(waiting.getFirst()).userId(),
                        claimed(waiting.getLast()).userId()))
                .containsExactlyInAnyOrder(ALICE, BOB);
    }

    @DisplayName("A3 a retired pool worker lets another have the claim that it has read, and ends")
    @Test
    void aRetiredWorkerEnds() throws Exception {
        Future<Optional<UserWorker>> retiring = poolWorker("task-1");
        redis.set("pool:reserved:task-1", "retired");
        sqs.send(claim(ALICE, 3));
        assertThat(retiring.get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(redis.exists("worker:active:alice")).isFalse();
        assertThat(claimed(waiting("task-2")).userId()).isEqualTo(ALICE);
    }

    @DisplayName("A3 who does not hear whether its claim was taken leaves no mark, and ends")
    @Test
    void endsWhenTheReplyIsLost() throws Exception {
        try (Socket other =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            // Longer than the worker waits for the reply: Redis takes the claim when nobody listens any more.
            Future<Optional<UserWorker>> waiting = waiting("task-1", () -> say(other, "DEBUG SLEEP 3.9"));
            say(other, "PING");
            other.getInputStream().read();
            sqs.send(claim(ALICE, 3));
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
        }
        assertThat(redis.get("task:task-1")).as("its claim was taken").isEqualTo("alice");
        assertThat(redis.exists("worker:active:alice")).isFalse();
        assertThat(sqs.isEmpty()).isTrue();
    }

    private static void say(Socket redis, String command) {
        try {
            redis.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException away) {
            throw new UncheckedIOException(away);
        }
    }

    @DisplayName("A3 an SQS that refuses is asked about once a second, and one line of the log says so")
    @Test
    void pausesWhileSqsRefuses() throws Exception {
        try (RefusingSqs refusing = new RefusingSqs();
                Warnings warnings = new Warnings(PoolWorker.class)) {
            long begin = System.nanoTime();
            Future<Optional<UserWorker>> waiting = poolWorker("task-1");
            Awaitility.await().until(() -> refusing.asked() >= 3);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
            assertThat(warnings.all()).hasSize(1);
            assertThat(waiting.isDone()).isFalse();
        }
    }

    @DisplayName("B6 a message that is no claim is deleted")
    @Test
    void deletesWhatIsNoClaim() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        sqs.send("{\"hello\":\"world\"}");
        sqs.send("no JSON at all");
        Awaitility.await().until(sqs::isEmpty);
        sqs.send(claim(BOB, 1));
        assertThat(claimed(waiting).userId()).isEqualTo(BOB);
    }

    @DisplayName("A3 who takes a claim that was meant for another puts that one back on the idle list, as old as it is")
    @Test
    void putsBackTheReservedOne() throws Exception {
        redis.set("worker:active:-1:task-1", "task-1");
        redis.set("pool:reserved:task-1", "1700000000000");
        Future<Optional<UserWorker>> waiting = poolWorker("task-2");
        sqs.send(claim(BOB, 1));
        claimed(waiting);
        assertThat(redis.zrangeWithScores("pool:idle", 0, -1))
                .containsExactly(new Tuple("task-1", 1_700_000_000_000.0));
    }
}
