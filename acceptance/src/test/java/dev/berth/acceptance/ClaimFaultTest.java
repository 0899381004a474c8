package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A claim is lost, late or repeated, or its pool worker dies: the user always gets one worker. */
@Order(1)
@ExtendWith(StackExtension.class)
class ClaimFaultTest {
    /** The claim is void after two seconds; a cold start follows. */
    private static final Duration COLD_START = Duration.ofSeconds(60);

    private static final Duration TIMEOUT = Duration.ofSeconds(45);

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
            assertThat(tasks.ofThePool().stream().map(EcsApi::idOf)).hasSameElementsAs(idle);
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
        if (claimant != 0 && Processes.lives(claimant)) {
            Processes.signal(claimant, "CONT");
        }
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

    @Test
    @Tag("X4")
    @DisplayName("A lost claim is void after 2 s: the user starts cold, and the pool worker stays idle")
    void lostClaimCausesColdStart() throws Exception {
        LocalProcess sqs = stack.process("sqs");
        signalPool("STOP");
        // Restarting SQS ends the polls of the pool workers, which would take the message.
        sqs.kill();
        upWithQueue();
        await().atMost(COLD_START).until(() -> claims.waiting() == 0);
        Trader trader = requestWorker("claim-lost");
        await().atMost(COLD_START).until(() -> claims.waiting() == 1);
        // The claim is sent again when the first one seems lost.
        await().atMost(TIMEOUT).until(() -> {
            claims.purge();
            return trader.worker().path("epoch").asLong() == 2;
        });
        signalPool("CONT");
        JsonNode worker = awaitOnlyWorker(trader);
        assertThat(worker.path("origin").asText()).isEqualTo("COLD");
        assertThat(worker.path("epoch").asLong()).isEqualTo(2);
        assertBackInPool();
    }

    @Test
    @Tag("X4")
    @DisplayName("A claim that cannot be sent, since SQS is down, leads to a cold start, and is counted as void")
    void unsentClaimCausesColdStart() throws Exception {
        double before = PrometheusMetrics.sum(stack.api(), VOID_CLAIMS);
        stack.process("sqs").kill();
        Trader trader = requestWorker("claim-unsent");
        assertThat(awaitOnlyWorker(trader).path("origin").asText()).isEqualTo("COLD");
        // The SDK reports its counts once a second.
        await().atMost(TIMEOUT).until(() -> PrometheusMetrics.sum(stack.api(), VOID_CLAIMS) == before + 1);
        assertThat(pool).allMatch(Processes::lives);
    }

    @Test
    @Tag("B6")
    @DisplayName("A claim delivered three times takes one pool worker; the other stays idle")
    void repeatedClaimTakesOneWorker() throws Exception {
        Trader trader = requestWorker("claim-again");
        for (int copy = 0; copy < 2; copy++) {
            claims.send(trader, 1, idle.getFirst());
        }
        JsonNode worker = awaitOnlyWorker(trader);
        claims.send(trader, 1, idle.getFirst());
        await().atMost(TIMEOUT).until(() -> claims.waiting() == 0);
        assertThat(worker.path("epoch").asLong()).isEqualTo(1);
        assertThat(worker.path("origin").asText()).isEqualTo("CLAIM");
        String task = EcsApi.idOf(worker);
        assertThat(idle).contains(task);
        assertThat(Eventually.idlePool(redis)).doesNotContain(task).containsAnyElementsOf(idle);
        assertThat(pool).allMatch(Processes::lives);
        assertThat(tasks.running(trader)).containsExactly(task);
    }

    @Test
    @Tag("X4")
    @DisplayName("When every pool worker dies during a claim, the user still gets one worker")
    void dyingPoolStillServesUser() throws Exception {
        Trader trader = requestWorker("claim-dead");
        signalPool("KILL");
        JsonNode worker = awaitOnlyWorker(trader);
        assertThat(pool).doesNotContain(worker.path("pid").asLong());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(redis.idlePoolWorkers())
                        .hasSizeGreaterThanOrEqualTo(2)
                        .doesNotContainAnyElementsOf(idle));
    }

    @Test
    @Tag("X4")
    @DisplayName("A claim read after its user got a worker is void, and its pool worker stays idle")
    void claimReadAfterColdStartIsVoid() throws Exception {
        signalPool("STOP");
        Trader trader = requestWorker("claim-late");
        JsonNode worker = awaitOnlyWorker(trader);
        assertThat(worker.path("origin").asText()).isEqualTo("COLD");
        signalPool("CONT");
        await().atMost(TIMEOUT).until(() -> claims.waiting() == 0);
        assertBackInPool();
        assertThat(redis.get("worker:active:claim-late")).isEqualTo(EcsApi.idOf(worker));
        assertThat(tasks.running(trader)).containsExactly(EcsApi.idOf(worker));
        assertThat(trader.worker().path("pid")).isEqualTo(worker.path("pid"));
        assertThat(trader.worker().path("deaths").asInt()).isZero();
    }

    @Test
    @Tag("X4")
    @DisplayName("A claimed worker that dies before it attaches is replaced by a cold start")
    void claimantDeathBeforeAttachCausesColdStart() throws Exception {
        Trader trader = signalBeforeAttach("claim-taken", "KILL");
        JsonNode worker = awaitOnlyWorker(trader);
        assertThat(worker.path("pid").asLong()).isNotEqualTo(claimant);
        assertThat(worker.path("epoch").asLong()).isEqualTo(2);
    }

    @Test
    @Tag("X4")
    @DisplayName("A claimed worker that attaches after 2 s ends itself, since another one serves")
    void lateClaimantEndsItself() throws Exception {
        Trader trader = signalBeforeAttach("claim-slow", "STOP");
        JsonNode worker = Eventually.activeWorker(trader, 2, COLD_START);
        // An attach that was on its way to Temporal counts: then the claimant is dead by now.
        if (Processes.lives(claimant)) {
            Processes.signal(claimant, "CONT");
        }
        Eventually.ended(claimant, TIMEOUT);
        JsonNode now = awaitOnlyWorker(trader);
        assertThat(now.path("pid")).isEqualTo(worker.path("pid"));
        assertThat(now.path("deaths").asInt()).isLessThanOrEqualTo(1);
    }

    /** Retries until Temporal is frozen in time, since a claim is void after 2 s. */
    private Trader signalBeforeAttach(String user, String signal) throws Exception {
        for (int attempt = 1; attempt <= 5; attempt++) {
            String another = user + "-" + attempt;
            if (isSignaledBeforeAttach(another, signal)) {
                return stack.trader(another);
            }
            awaitFullPool();
        }
        throw new AssertionError("five attempts froze Temporal too late");
    }

    /** Holds the claim at the pool and the attach at Temporal, so the signal falls in between. */
    private boolean isSignaledBeforeAttach(String user, String signal) throws Exception {
        await().atMost(TIMEOUT).until(() -> claims.waiting() == 0);
        signalPool("STOP");
        requestWorker(user);
        await().atMost(TIMEOUT).until(() -> claims.waiting() == 1);
        LocalProcess temporal = stack.process("temporal");
        temporal.freeze();
        try {
            signalPool("CONT");
            String heartbeatKey = "worker:active:" + user;
            try {
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> !redis.get(heartbeatKey).isEmpty());
            } catch (ConditionTimeoutException isVoid) {
                return false;
            }
            if (!idle.contains(redis.get(heartbeatKey))) {
                return false;
            }
            claimant = Processes.ofTask(redis.get(heartbeatKey));
            Processes.signal(claimant, signal);
        } finally {
            temporal.thaw();
        }
        return true;
    }

    private void assertBackInPool() {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(redis.idlePoolWorkers()).containsAll(idle));
        assertThat(pool).allMatch(Processes::lives);
    }

    private void signalPool(String signal) throws IOException, InterruptedException {
        for (long pid : pool) {
            if (Processes.lives(pid)) {
                Processes.signal(pid, signal);
            }
        }
    }

    private Trader requestWorker(String user) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        return trader;
    }

    /** Waits for the active worker, which must trade and be the user's only one. */
    private JsonNode awaitOnlyWorker(Trader trader) throws Exception {
        JsonNode worker = Eventually.activeWorker(trader, 1, COLD_START);
        Eventually.filled(trader, "one");
        assertThat(venue.arrivals(trader)).hasSize(1);
        JsonNode now = trader.worker();
        assertThat(Eventually.tasks(tasks, trader, 1, COLD_START)).containsExactly(EcsApi.idOf(now));
        assertThat(Processes.lives(now.path("pid").asLong())).isTrue();
        assertThat(now.path("epoch").asLong())
                .isGreaterThanOrEqualTo(worker.path("epoch").asLong());
        return now;
    }
}
