package dev.berth.host.pool;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
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
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
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
    private TestGateway gateway;

    @BeforeEach
    void start() throws Exception {
        redis.set("worker:epoch:alice", "3");
        redis.set("worker:epoch:bob", "1");
        gateway = new TestGateway(server);
    }

    @AfterEach
    void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        processes.shutdownNow();
        gateway.close();
    }

    private record Waiting(PoolWorker worker, Future<Optional<UserWorker>> user) {}

    /** A pool worker that waits for its user. */
    private Future<Optional<UserWorker>> poolWorker(String taskId) throws InterruptedException {
        int before = gateway.parkedWorkers();
        Future<Optional<UserWorker>> user = waiting(taskId).user();
        Awaitility.await().until(() -> gateway.parkedWorkers() > before);
        return user;
    }

    private Waiting waiting(String taskId) throws InterruptedException {
        HostConnections host = TestHost.of(gateway.pool(taskId), taskId);
        BrokerConnector broker = new AlpacaConnector(
                host.http(), new AlpacaEndpoints(TestHost.NOWHERE, null), 1, OrderPolicies.OTHER_CALL);
        PoolWorker worker = new PoolWorker(host);
        open.push(worker);
        return new Waiting(
                worker,
                processes.submit(
                        () -> worker.awaitUser(claim -> new UserWorker(host, claim.userId(), claim.epoch(), broker))));
    }

    private UserWorker claimed(Future<Optional<UserWorker>> waiting) throws Exception {
        UserWorker worker = waiting.get(10, TimeUnit.SECONDS).orElseThrow();
        open.push(worker);
        return worker;
    }

    /** Reserves the first task and sends the claim, as the orchestrator does. */
    private void claim(UserId userId, long epoch) {
        redis.set(RedisKeys.reserved("task-1"), RedisKeys.claim(userId, epoch));
        gateway.claim(new ClaimMessage(userId, epoch, "task-1", Instant.now()));
    }

    @Tag("A3")
    @DisplayName("An idle worker has a key with user id -1 and is listed, until it has a user")
    @Test
    void idleWorkerIsListed() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        assertThat(redis.pttl("worker:active:-1:task-1")).isBetween(25_000L, 30_000L);
        assertThat(redis.zpopmin("pool:idle").getValue()).isEqualTo("task-1");
        claim(BOB, 1);
        claimed(waiting);
        assertThat(redis.exists("worker:active:-1:task-1")).isZero();
        assertThat(redis.zcard("pool:idle")).isZero();
    }

    @Tag("A4")
    @DisplayName("A claim gives a pool worker its user, whose heartbeat key it then renews itself")
    @Test
    void claimGivesUser() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        claim(ALICE, 3);
        UserWorker worker = claimed(waiting);
        assertThat(worker.userId()).isEqualTo(ALICE);
        assertThat(worker.epoch()).isEqualTo(3);
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-1");
        assertThat(redis.hget("worker:metadata:alice", "host")).isEqualTo("host-1");
        redis.del("worker:active:alice");
        Awaitility.await().until(() -> "task-1".equals(redis.get("worker:active:alice")));
    }

    @Tag("X4")
    @DisplayName("A claim of a void epoch leaves its worker in the pool")
    @Test
    void ignoresVoidClaim() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        claim(ALICE, 2);
        assertThat(redis.exists("worker:active:alice", "task:task-1")).isZero();
        assertThat(waiting.isDone()).isFalse();
        claim(BOB, 1);
        assertThat(claimed(waiting).userId()).isEqualTo(BOB);
    }

    @Tag("X4")
    @DisplayName("A claim concerns the worker that it names, and no other")
    @Test
    void otherWorkerGoesOnWaiting() throws Exception {
        Future<Optional<UserWorker>> other = poolWorker("task-2");
        Future<Optional<UserWorker>> reserved = poolWorker("task-1");
        claim(ALICE, 3);
        claim(ALICE, 3);
        assertThat(claimed(reserved).userId()).isEqualTo(ALICE);
        assertThat(other.isDone()).isFalse();
    }

    @Tag("A3")
    @DisplayName("A retired pool worker ends without a user at its next renewal")
    @Test
    void retiredWorkerEnds() throws Exception {
        Future<Optional<UserWorker>> retiring = poolWorker("task-1");
        redis.set("pool:reserved:task-1", "retired");
        assertThat(retiring.get(20, TimeUnit.SECONDS)).isEmpty();
        assertThat(redis.exists("worker:active:alice")).isZero();
    }

    @Tag("A3")
    @DisplayName("A worker that was given to a user without hearing of it ends")
    @Test
    void endsWhenAnswerIsLost() throws Exception {
        redis.set(RedisKeys.bound("task-1"), RedisKeys.claim(ALICE, 3));
        try (Warnings warnings = new Warnings(PoolWorker.class)) {
            assertThat(waiting("task-1").user().get(20, TimeUnit.SECONDS)).isEmpty();
            assertThat(warnings.all()).hasSize(1);
        }
    }

    @Tag("A3")
    @DisplayName("A worker ends when another task serves the user that it is given to")
    @Test
    void endsWhenUserIsTaken() throws Exception {
        Future<Optional<UserWorker>> waiting = poolWorker("task-1");
        redis.set("worker:active:alice", "task-9");
        claim(ALICE, 3);
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-9");
    }

    @Tag("A3")
    @DisplayName("While the gateway does not answer, an idle worker asks on, and logs once")
    @Test
    void asksOnWhileGatewayIsUnavailable() throws Exception {
        try (Warnings warnings = new Warnings(PoolWorker.class)) {
            redis.set("pool:idle", "no list: every script fails");
            Future<Optional<UserWorker>> waiting = waiting("task-1").user();
            Awaitility.await().until(() -> !warnings.all().isEmpty());
            redis.del("pool:idle");
            Awaitility.await().until(() -> gateway.parkedWorkers() == 1);
            assertThat(warnings.all()).hasSize(1);
            claim(ALICE, 3);
            assertThat(claimed(waiting).userId()).isEqualTo(ALICE);
        }
    }

    @Tag("A3")
    @DisplayName("A worker that is stopped leaves the pool, and takes no claim meanwhile")
    @Test
    void closingLeavesThePool() throws Exception {
        Waiting waiting = waiting("task-1");
        Awaitility.await().until(() -> gateway.parkedWorkers() == 1);
        waiting.worker().close();
        assertThat(waiting.user().get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(redis.exists("worker:active:-1:task-1", "pool:idle")).isZero();
        Awaitility.await().until(() -> gateway.parkedWorkers() == 0);
        claim(ALICE, 3);
        assertThat(redis.exists("worker:active:alice", RedisKeys.bound("task-1")))
                .isZero();
    }
}
