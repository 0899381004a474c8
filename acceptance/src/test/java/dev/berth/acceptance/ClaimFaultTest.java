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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A claim that is lost, late, repeated, or whose pool worker dies. Whatever happens, the user gets one worker. */
@Order(1)
@ExtendWith(OnTheStack.class)
class ClaimFaultTest {
    /** Two seconds until the claim is void, then a cold start. */
    private static final Duration COLD = Duration.ofSeconds(60);

    private static final Duration SOON = Duration.ofSeconds(45);

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
    void thePoolIsThere() throws Exception {
        // One that died in the moment of its claim is listed until its mark runs out; one that still starts could take
        // what the others are to take, or to miss.
        await().atMost(Eventually.POOL_FILLS).untilAsserted(() -> {
            idle = Eventually.fullPool(redis);
            pool = processes(idle);
            assertThat(tasks.ofThePool().stream().map(Ecs::idOf)).hasSameElementsAs(idle);
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
    void giveBack() throws Exception {
        pool("CONT");
        if (claimant != 0 && Processes.lives(claimant)) {
            Processes.signal(claimant, "CONT");
        }
        stack.berth("up");
    }

    /** The pool makes up for a worker that was reserved in vain, and shrinks half a minute after that one is back. */
    @AfterAll
    static void thePoolShrinks(Stack stack) {
        Eventually.fullPool(RedisKeyspace.of(stack));
    }

    @Test
    @DisplayName("X4 a claim that is lost is void after 2 s: a cold start, one worker, and the pool stays as it was")
    void lost() throws Exception {
        LocalProcess sqs = stack.process("sqs");
        pool("STOP");
        // With SQS go the polls of the pool workers, which would take the message.
        sqs.kill();
        stack.berth("up");
        // The port answers a moment before the queue is there.
        await().atMost(COLD).ignoreExceptionsInstanceOf(IOException.class).until(() -> claims.waiting() == 0);
        Trader trader = asked("claim-lost");
        await().atMost(COLD).until(() -> claims.waiting() == 1);
        // What was sent for the second time, since the first seemed lost, is lost as well.
        await().atMost(SOON).until(() -> {
            claims.purge();
            return trader.worker().path("epoch").asLong() == 2;
        });
        pool("CONT");
        JsonNode worker = servedByOne(trader);
        assertThat(worker.path("origin").asText()).isEqualTo("COLD");
        assertThat(worker.path("epoch").asLong()).isEqualTo(2);
        backInThePool();
    }

    @Test
    @DisplayName("X4 a claim that can not be sent, since SQS is gone, costs its user the wait for a cold start")
    void notSent() throws Exception {
        stack.process("sqs").kill();
        Trader trader = asked("claim-unsent");
        assertThat(servedByOne(trader).path("origin").asText()).isEqualTo("COLD");
        assertThat(pool).allMatch(Processes::lives);
    }

    @Test
    @DisplayName(
            "B6 a claim that comes three times takes one pool worker; the other passes over it and stays in the pool")
    void repeated() throws Exception {
        Trader trader = asked("claim-again");
        for (int copy = 0; copy < 2; copy++) {
            claims.send(trader, 1, idle.getFirst());
        }
        JsonNode worker = servedByOne(trader);
        claims.send(trader, 1, idle.getFirst());
        await().atMost(SOON).until(() -> claims.waiting() == 0);
        assertThat(worker.path("epoch").asLong()).isEqualTo(1);
        assertThat(worker.path("origin").asText()).isEqualTo("CLAIM");
        String task = Ecs.idOf(worker);
        assertThat(idle).contains(task);
        assertThat(Eventually.idlePool(redis)).doesNotContain(task).containsAnyElementsOf(idle);
        assertThat(pool).allMatch(Processes::lives);
        assertThat(tasks.running(trader)).containsExactly(task);
    }

    @Test
    @DisplayName("X4 every pool worker dies at the moment of the claim: its user is served all the same, by one worker")
    void thePoolDies() throws Exception {
        Trader trader = asked("claim-dead");
        pool("KILL");
        JsonNode worker = servedByOne(trader);
        assertThat(pool).doesNotContain(worker.path("pid").asLong());
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(redis.idlePoolWorkers())
                        .hasSizeGreaterThanOrEqualTo(2)
                        .doesNotContainAnyElementsOf(idle));
    }

    @Test
    @DisplayName(
            "X4 a claim that is read when its user has a worker already is void: the late process never marks itself"
                    + " and stays in the pool")
    void late() throws Exception {
        pool("STOP");
        Trader trader = asked("claim-late");
        JsonNode worker = servedByOne(trader);
        assertThat(worker.path("origin").asText()).isEqualTo("COLD");
        pool("CONT");
        await().atMost(SOON).until(() -> claims.waiting() == 0);
        backInThePool();
        assertThat(redis.get("worker:active:claim-late")).isEqualTo(Ecs.idOf(worker));
        assertThat(tasks.running(trader)).containsExactly(Ecs.idOf(worker));
        assertThat(trader.worker().path("pid")).isEqualTo(worker.path("pid"));
        assertThat(trader.worker().path("deaths").asInt()).isZero();
    }

    @Test
    @DisplayName(
            "X4 the pool worker that took the claim dies before it answers: a cold start, one worker, no order lost")
    void theClaimantDies() throws Exception {
        Trader trader = takenBeforeTheAnswer("claim-taken", "KILL");
        JsonNode worker = servedByOne(trader);
        assertThat(worker.path("pid").asLong()).isNotEqualTo(claimant);
        assertThat(worker.path("epoch").asLong()).isEqualTo(2);
    }

    @Test
    @DisplayName("X4 the pool worker that took the claim answers after 2 s: another serves by then, and it ends itself")
    void theClaimantAnswersLate() throws Exception {
        Trader trader = takenBeforeTheAnswer("claim-slow", "STOP");
        JsonNode worker = Eventually.activeWorker(trader, 2, COLD);
        assertThat(worker.path("origin").asText()).isEqualTo("COLD");
        Processes.signal(claimant, "CONT");
        Eventually.ended(claimant, SOON);
        JsonNode now = servedByOne(trader);
        assertThat(now.path("pid")).isEqualTo(worker.path("pid"));
        assertThat(now.path("deaths").asInt()).isZero();
    }

    /** Until Temporal stood still in time: a claim is void after 2 s. */
    private Trader takenBeforeTheAnswer(String user, String signal) throws Exception {
        for (int attempt = 1; attempt <= 5; attempt++) {
            String another = user + "-" + attempt;
            if (isTakenBeforeTheAnswer(another, signal)) {
                return stack.trader(another);
            }
            thePoolIsThere();
        }
        throw new AssertionError("Temporal stood still too late, again and again");
    }

    /** The claim waits for the pool, and the pool's answer for Temporal: so the signal falls between the two. */
    private boolean isTakenBeforeTheAnswer(String user, String signal) throws Exception {
        // Of the tests before.
        await().atMost(SOON).until(() -> claims.waiting() == 0);
        pool("STOP");
        asked(user);
        await().atMost(SOON).until(() -> claims.waiting() == 1);
        LocalProcess temporal = stack.process("temporal");
        temporal.freeze();
        try {
            pool("CONT");
            String mark = "worker:active:" + user;
            try {
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> !redis.get(mark).isEmpty());
            } catch (ConditionTimeoutException isVoid) {
                return false;
            }
            if (!idle.contains(redis.get(mark))) {
                return false;
            }
            claimant = Processes.ofTask(redis.get(mark));
            Processes.signal(claimant, signal);
        } finally {
            temporal.thaw();
        }
        return true;
    }

    private void backInThePool() {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(redis.idlePoolWorkers()).containsAll(idle));
        assertThat(pool).allMatch(Processes::lives);
    }

    private void pool(String signal) throws IOException, InterruptedException {
        for (long pid : pool) {
            if (Processes.lives(pid)) {
                Processes.signal(pid, signal);
            }
        }
    }

    private Trader asked(String user) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        return trader;
    }

    /** The worker, once it is active; it trades, and it is the only one. */
    private JsonNode servedByOne(Trader trader) throws Exception {
        JsonNode worker = Eventually.activeWorker(trader, 1, COLD);
        assertThat(trader.submit(NewOrder.market("one", "AAPL", "buy", "1"), 20).text("status"))
                .isEqualTo("FILLED");
        assertThat(venue.arrivals(trader)).hasSize(1);
        JsonNode now = trader.worker();
        assertThat(Eventually.tasks(tasks, trader, 1, COLD)).containsExactly(Ecs.idOf(now));
        assertThat(Processes.lives(now.path("pid").asLong())).isTrue();
        assertThat(now.path("epoch").asLong())
                .isGreaterThanOrEqualTo(worker.path("epoch").asLong());
        return now;
    }
}
