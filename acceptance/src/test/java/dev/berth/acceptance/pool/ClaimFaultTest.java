package dev.berth.acceptance.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsTask;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.PrometheusMetrics;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.UserTasks;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** A claim is lost, late or repeated, or its pool worker dies: the user always gets one worker. */
@Order(1)
@ExtendWith(StackExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClaimFaultTest {
    /** The claim is void after two seconds; a cold start follows. */
    private static final Duration COLD_START = Duration.ofSeconds(60);

    private static final Duration TIMEOUT = Duration.ofSeconds(45);

    /** A void claim counts for a minute. */
    private static final Duration VOIDS_FORGOTTEN = Duration.ofSeconds(65);

    private static final String VOID_CLAIMS = "berth_claims_void_total";

    private final Stack stack;
    private final Venue venue;
    private final RedisKeyspace redis;
    private final UserTasks tasks;
    private final ClaimMessages claims;
    private List<Long> pool = List.of();
    private List<String> idle = List.of();
    private long claimant;

    ClaimFaultTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.tasks = UserTasks.of(stack);
        this.claims = ClaimMessages.of(stack);
    }

    @BeforeEach
    void awaitFullPool() throws Exception {
        // A worker that died during its claim stays listed until its heartbeat key expires, and one
        // that still starts could take another one's claim.
        await().atMost(Eventually.POOL_FILLS).untilAsserted(() -> {
            idle = Eventually.fullPool(redis);
            pool = processes(idle);
            assertThat(tasks.ofThePool().stream().map(EcsTask::id)).hasSameElementsAs(idle);
        });
    }

    private static List<Long> processes(List<String> taskIds) throws IOException {
        List<Long> pids = new ArrayList<>();
        for (String task : taskIds) {
            pids.add(Processes.ofTask(task));
        }
        return pids;
    }

    @AfterEach
    void restoreStack() throws Exception {
        signalPool("CONT");
        Processes.signalIfAlive(claimant, "CONT");
        upWithQueue();
    }

    /** The port of SQS answers a moment before the queue exists. */
    private void upWithQueue() throws Exception {
        stack.berth("up");
        await().atMost(COLD_START).ignoreExceptionsInstanceOf(IOException.class).until(() -> claims.waiting() >= 0);
    }

    /** The pool replaces a reserved worker and shrinks half a minute after its return. */
    @AfterAll
    static void awaitPoolShrinks(Stack stack) {
        Eventually.fullPool(RedisKeyspace.of(stack));
    }

    /** Before the others, whose void claims would have to be forgotten. */
    @Test
    @Tag("long")
    @Order(1)
    @Tag("X4")
    @DisplayName("A claim that cannot be sent, since SQS is down, leads to a cold start, and retires its worker")
    void unsentClaimCausesColdStart() throws Exception {
        // Else retirements may pause.
        await().atMost(VOIDS_FORGOTTEN).until(() -> redis.size("pool:claims:void") == 0);
        double before = PrometheusMetrics.sum(stack.api(), VOID_CLAIMS);
        stack.process("sqs").kill();
        Trader trader = requestWorker("claim-unsent");
        assertThat(awaitOnlyWorker(trader).origin()).isEqualTo("COLD");
        // The SDK reports its counts every ten seconds.
        await().atMost(TIMEOUT).until(() -> PrometheusMetrics.sum(stack.api(), VOID_CLAIMS) == before + 1);
        await().atMost(TIMEOUT)
                .until(() -> pool.stream().filter(Processes::lives).count() == idle.size() - 1);
    }

    @Test
    @Tag("X4")
    @Tag("X16")
    @DisplayName("An idle worker that never answers voids one claim, and is stopped; the next user gets another")
    void silentWorkerVoidsOneClaim() throws Exception {
        String first = redis.sorted("pool:idle").getFirst();
        claimant = Processes.ofTask(first);
        Processes.signal(claimant, "STOP");
        Trader unlucky = requestWorker("claim-silent");
        Worker worker = awaitOnlyWorker(unlucky);
        assertThat(worker.origin()).isEqualTo("COLD");
        assertThat(worker.epoch()).isEqualTo(2);
        assertThat(redis.get("pool:reserved:" + first)).isEqualTo("retired");
        await().atMost(TIMEOUT).until(() -> !Processes.lives(claimant));
        // The machine has started a successor, and the pool a replacement.
        Eventually.fullPool(redis);
        Trader next = requestWorker("claim-next");
        Worker nextWorker = awaitOnlyWorker(next);
        assertThat(nextWorker.origin()).isEqualTo("CLAIM");
        assertThat(nextWorker.epoch()).isEqualTo(1);
    }

    @Test
    @Tag("B6")
    @DisplayName("A claim delivered three times takes one pool worker; the other stays idle")
    void repeatedClaimTakesOneWorker() throws Exception {
        Trader trader = requestWorker("claim-again");
        for (int copy = 0; copy < 2; copy++) {
            claims.send(trader, 1, idle.getFirst());
        }
        Worker worker = awaitOnlyWorker(trader);
        claims.send(trader, 1, idle.getFirst());
        await().atMost(TIMEOUT).until(() -> claims.waiting() == 0);
        assertThat(worker.epoch()).isEqualTo(1);
        assertThat(worker.origin()).isEqualTo("CLAIM");
        String task = worker.taskId();
        assertThat(idle).contains(task);
        assertThat(Eventually.idlePool(redis)).doesNotContain(task).containsAnyElementsOf(idle);
        assertThat(pool).allMatch(Processes::lives);
        assertThat(tasks.running(trader)).containsExactly(task);
    }

    @Test
    @Tag("long")
    @Tag("X4")
    @DisplayName("When every pool worker dies during a claim, the user still gets one worker")
    void dyingPoolStillServesUser() throws Exception {
        Trader trader = requestWorker("claim-dead");
        signalPool("KILL");
        Worker worker = awaitOnlyWorker(trader);
        assertThat(pool).doesNotContain(worker.pid());
        await().atMost(Eventually.POOL_FILLS)
                .untilAsserted(() -> assertThat(redis.idlePoolWorkers())
                        .hasSizeGreaterThanOrEqualTo(2)
                        .doesNotContainAnyElementsOf(idle));
    }

    @Test
    @Tag("long")
    @Tag("X4")
    @DisplayName("A claimed worker that dies before it attaches is replaced by a cold start")
    void claimantDeathBeforeAttachCausesColdStart() throws Exception {
        signalPool("STOP");
        Trader trader = requestWorker("claim-taken");
        claimant = claimant("claim-taken");
        Processes.signal(claimant, "KILL");
        Worker worker = awaitOnlyWorker(trader);
        assertThat(worker.pid()).isNotEqualTo(claimant);
        assertThat(worker.epoch()).isEqualTo(2);
    }

    @Test
    @Tag("X4")
    @DisplayName("A claimed worker that goes on after 2 s serves no user and ends, since another one serves")
    void lateClaimantEnds() throws Exception {
        signalPool("STOP");
        Trader trader = requestWorker("claim-slow");
        claimant = claimant("claim-slow");
        Worker worker = Eventually.activeWorker(trader, 2, COLD_START);
        Processes.signalIfAlive(claimant, "CONT");
        Eventually.ended(claimant, TIMEOUT);
        Worker now = awaitOnlyWorker(trader);
        assertThat(now.pid()).isEqualTo(worker.pid());
        assertThat(now.deaths()).isZero();
    }

    /** The frozen process that the gateway has given to the user. */
    private long claimant(String user) throws IOException {
        String task = await().atMost(TIMEOUT).until(() -> boundTo(user), bound -> !bound.isEmpty());
        return Processes.ofTask(task);
    }

    /** The pool worker that was given to the user; empty for none. */
    private String boundTo(String user) throws IOException {
        for (String task : idle) {
            if (redis.get("gateway:bound:" + task).startsWith(user + ":")) {
                return task;
            }
        }
        return "";
    }

    private void signalPool(String signal) throws IOException, InterruptedException {
        for (long pid : pool) {
            Processes.signalIfAlive(pid, signal);
        }
    }

    private Trader requestWorker(String user) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        return trader;
    }

    /** Waits for the active worker, which must trade and be the user's only one. */
    private Worker awaitOnlyWorker(Trader trader) throws Exception {
        Worker worker = Eventually.activeWorker(trader, 1, COLD_START);
        Eventually.filled(trader, "one");
        assertThat(venue.arrivals(trader)).hasSize(1);
        Worker now = trader.worker();
        assertThat(Eventually.tasks(tasks, trader, 1, COLD_START)).containsExactly(now.taskId());
        assertThat(Processes.lives(now.pid())).isTrue();
        assertThat(now.epoch()).isGreaterThanOrEqualTo(worker.epoch());
        return now;
    }
}
