package dev.berth.host.worker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.WorkerLimits;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a worker becomes idle, and how it closes. */
class ClosingTest {
    private static final long EPOCH = WorkerFixture.EPOCH;
    private static final Duration IDLE_AFTER = Duration.ofSeconds(4);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final WorkerLimits LIMITS = new WorkerLimits(
            Duration.ofMillis(200), Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMinutes(3), IDLE_AFTER);

    private WorkerFixture alice;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        alice = new WorkerFixture(folder, 1, LIMITS);
        alice.startLifecycle();
        alice.worker.start();
        alice.ask("openSession", EPOCH, alice.sealed()).get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        alice.close();
    }

    private String close(boolean onlyIfIdle) throws Exception {
        return alice.ask("closeSession", EPOCH, onlyIfIdle)
                .get(15, TimeUnit.SECONDS)
                .asText();
    }

    private void submit(String id) throws Exception {
        assertThat(alice.submit(market(id)).get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
    }

    private void awaitIdle() {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> alice.signals("worker:alice").contains("idle"));
    }

    @Tag("A12")
    @DisplayName("An idle worker signals repeatedly and may be closed")
    @Test
    void idleWorkerSignalsAndCloses() throws Exception {
        Awaitility.await().atMost(SOON).until(() -> Collections.frequency(alice.signals("worker:alice"), "idle") >= 2);
        assertThat(close(true)).isEqualTo("CLOSED");
        assertThat(alice.redis().exists("worker:active:alice")).isZero();
        assertThat(alice.worker.isEnded()).isTrue();
    }

    @Tag("A12")
    @DisplayName("A worker without a session becomes idle too")
    @Test
    void becomesIdleWithoutSession(@TempDir Path another) throws Exception {
        try (WorkerFixture adopted = new WorkerFixture(another, 1, LIMITS)) {
            adopted.startLifecycle();
            adopted.worker.start();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> adopted.signals("worker:alice").contains("idle"));
        }
    }

    @Tag("A12")
    @DisplayName("A working order keeps the worker")
    @Test
    void workingOrderKeepsWorker() throws Exception {
        OrderRequest order = belowMarket("o-1");
        alice.startOrder(order);
        assertThat(alice.submit(order).get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        // On a busy machine the worker may have been idle before.
        int before = Collections.frequency(alice.signals("worker:alice"), "idle");
        Awaitility.await()
                .during(IDLE_AFTER.plusSeconds(2))
                .atMost(SOON)
                .until(() -> Collections.frequency(alice.signals("worker:alice"), "idle") == before);
        assertThat(close(true)).isEqualTo("BUSY");
        assertThat(alice.redis().exists("worker:active:alice")).isOne();
        assertThat(alice.worker.isEnded()).isFalse();
    }

    @Tag("A12")
    @DisplayName("An order within the idle time keeps the worker polling")
    @Test
    void recentOrderKeepsWorker() throws Exception {
        awaitIdle();
        submit("o-1");
        assertThat(close(true)).isEqualTo("BUSY");
        submit("o-2");
        assertThat(alice.redis().exists("worker:active:alice")).isOne();
    }

    @Tag("A12")
    @DisplayName("A current order keeps the worker; a forced close finishes the order first")
    @Test
    void closeFinishesCurrentOrder() throws Exception {
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> sending = alice.submit(market("o-1"));
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 1);
        assertThat(close(true)).isEqualTo("BUSY");
        CompletableFuture<JsonNode> closing = alice.ask("closeSession", EPOCH, false);
        Awaitility.await().until(() -> alice.redis().exists("worker:active:alice") == 0);
        assertThat(sending).isNotDone();
        assertThat(closing).isNotDone();
        alice.venue.faults("");
        assertThat(closing.get(15, TimeUnit.SECONDS).asText()).isEqualTo("CLOSED");
        assertThat(sending.get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        assertThat(close(true)).isEqualTo("CLOSED");
    }

    @Tag("X22")
    @DisplayName("Only an order that is being sent keeps a worker from its successor; one at the venue does not")
    @Test
    void closesBetweenTwoOrders() throws Exception {
        assertThat(alice.submit(belowMarket("rests")).get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> sending = alice.submit(market("o-1"));
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 2);
        assertThat(alice.ask("closeIfQuiet", EPOCH).get(15, TimeUnit.SECONDS).asText())
                .isEqualTo("BUSY");
        assertThat(alice.redis().exists("worker:active:alice")).isOne();
        alice.venue.faults("");
        assertThat(sending.get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        assertThat(alice.ask("closeIfQuiet", EPOCH).get(15, TimeUnit.SECONDS).asText())
                .isEqualTo("CLOSED");
        assertThat(alice.redis().exists("worker:active:alice")).isZero();
        assertThat(alice.worker.isEnded()).isTrue();
    }

    @Tag("A12")
    @DisplayName("A closing worker has no heartbeat key and finishes its orders")
    @Test
    void closingWorkerFinishesOrders() throws Exception {
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> sending = alice.submit(market("o-1"));
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 1);
        CompletableFuture<?> closing = alice.ask("closeSession", EPOCH, false);
        Awaitility.await().until(() -> alice.redis().exists("worker:active:alice") == 0);
        assertThat(sending).isNotDone();
        alice.venue.faults("");
        closing.get(15, TimeUnit.SECONDS);
        assertThat(sending.get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        assertThat(alice.venue.orders()).hasSize(1);
    }

    @Tag("A7")
    @DisplayName("An unhealthy session is opened again when the venue is back")
    @Test
    void reopensUnhealthySession() throws Exception {
        alice.venue.restart();
        Awaitility.await().ignoreExceptions().atMost(SOON).untilAsserted(() -> submit("o-" + System.nanoTime()));
    }

    @Tag("A8")
    @DisplayName("Orders are declined while the account's session is closed")
    @Test
    void closedSessionDeclinesOrders() throws Exception {
        alice.ask("dropSession", EPOCH, ACCOUNT).get(10, TimeUnit.SECONDS);
        assertThat(alice.submit(market("o-1")).get(10, TimeUnit.SECONDS))
                .isEqualTo(new SubmitOutcome.Declined(SubmitOutcome.Cause.NO_SESSION));
        alice.ask("openSession", EPOCH, alice.sealed()).get(10, TimeUnit.SECONDS);
        submit("o-2");
    }

    @Tag("D2")
    @DisplayName("The metadata show the current order and the open sessions")
    @Test
    void metadataShowCurrentOrder() throws Exception {
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> sending = alice.submit(market("o-1"));
        Awaitility.await().until(() -> "o-1".equals(alice.redis().hget("worker:metadata:alice", "current_order")));
        assertThat(sending).isNotDone();
        assertThat(alice.redis().hget("worker:metadata:alice", "idle_at")).isEmpty();
        assertThat(alice.redis().hget("worker:metadata:alice", "sessions")).isEqualTo("alpaca/equity/paper/paper");
        alice.venue.faults("");
        sending.get(10, TimeUnit.SECONDS);
        Awaitility.await().until(() -> "".equals(alice.redis().hget("worker:metadata:alice", "current_order")));
        Instant last = Instant.parse(alice.redis().hget("worker:metadata:alice", "last_order_at"));
        assertThat(alice.redis().hget("worker:metadata:alice", "idle_at"))
                .isEqualTo(last.plus(IDLE_AFTER).toString());
    }

    @Tag("E10")
    @DisplayName("A worker whose epoch Redis lost signals its lifecycle and recovers")
    @Test
    void recoversFromLostEpoch() {
        alice.redis().flushall();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> alice.signals("worker:alice").contains("workerFound"));
        alice.redis().set("worker:epoch:alice", Long.toString(EPOCH));
        Awaitility.await().atMost(SOON).until(() -> alice.redis().exists("worker:active:alice") == 1);
        assertThat(alice.worker.isEnded()).isFalse();
    }

    @Tag("X2")
    @DisplayName("A superseded worker ends at once and sends nothing")
    @Test
    void supersededWorkerSendsNothing() throws Exception {
        alice.redis().set("worker:epoch:alice", Long.toString(EPOCH + 1));
        alice.worker.awaitEnd();
        assertThat(alice.worker.isSuperseded()).isTrue();
        assertThat(alice.redis().exists("worker:active:alice"))
                .as("released for the successor")
                .isZero();
        var late = alice.submit(market("late"));
        try {
            // A poll from before may still take it; the gateway refuses every further one.
            assertThat(late.get(2, TimeUnit.SECONDS)).isInstanceOf(SubmitOutcome.Declined.class);
        } catch (TimeoutException notTaken) {
            assertThat(late).isNotDone();
        }
        assertThat(alice.venue.arrivals()).isEmpty();
    }
}
