package dev.berth.host.worker;

import static dev.berth.host.Samples.ACCOUNT;
import static dev.berth.host.Samples.market;
import static dev.berth.host.Samples.resting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.WorkerLimits;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an idle worker says so, and how it closes. */
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
        alice.worker.begin();
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

    @DisplayName("A12 a worker that had no order for the idle time says so, again and again, and may be closed then")
    @Test
    void saysThatItIsIdle() throws Exception {
        Awaitility.await().atMost(SOON).until(() -> Collections.frequency(alice.signals("worker:alice"), "idle") >= 2);
        assertThat(close(true)).isEqualTo("CLOSED");
        assertThat(alice.redis().exists("worker:active:alice")).isFalse();
        assertThat(alice.worker.isEnded()).isTrue();
    }

    @DisplayName("A12 a worker that never had a session says so too, such as one that was adopted before it had one")
    @Test
    void idleWithoutASession(@TempDir Path another) throws Exception {
        try (WorkerFixture adopted = new WorkerFixture(another, 1, LIMITS)) {
            adopted.startLifecycle();
            adopted.worker.begin();
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> adopted.signals("worker:alice").contains("idle"));
        }
    }

    @DisplayName("A12 with an order that works at the venue it is not idle, nor does it close")
    @Test
    void aWorkingOrderKeepsIt() throws Exception {
        assertThat(alice.submit(resting("o-1")).get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        // On a busy machine it may have been idle before.
        int before = Collections.frequency(alice.signals("worker:alice"), "idle");
        Awaitility.await()
                .during(IDLE_AFTER.plusSeconds(2))
                .atMost(SOON)
                .until(() -> Collections.frequency(alice.signals("worker:alice"), "idle") == before);
        assertThat(close(true)).isEqualTo("BUSY");
        assertThat(alice.redis().exists("worker:active:alice")).isTrue();
        assertThat(alice.worker.isEnded()).isFalse();
    }

    @DisplayName("A12 an order that came within the idle time keeps it, and it goes on taking orders")
    @Test
    void anOrderThatRacesWithTheStopWins() throws Exception {
        awaitIdle();
        submit("o-1");
        assertThat(close(true)).isEqualTo("BUSY");
        submit("o-2");
        assertThat(alice.redis().exists("worker:active:alice")).isTrue();
    }

    @DisplayName("A12 an order in hand keeps it; told to close all the same, it finishes that order first")
    @Test
    void anOrderInHand() throws Exception {
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> inHand = alice.submit(market("o-1"));
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 1);
        assertThat(close(true)).isEqualTo("BUSY");
        CompletableFuture<JsonNode> closing = alice.ask("closeSession", EPOCH, false);
        Awaitility.await().until(() -> !alice.redis().exists("worker:active:alice"));
        assertThat(inHand).isNotDone();
        assertThat(closing).isNotDone();
        alice.venue.faults("");
        assertThat(closing.get(15, TimeUnit.SECONDS).asText()).isEqualTo("CLOSED");
        assertThat(inHand.get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        assertThat(close(true)).isEqualTo("CLOSED");
    }

    @DisplayName("A12 while it closes the mark is gone, and what still arrives is executed")
    @Test
    void executesWhatStillArrives() throws Exception {
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> inHand = alice.submit(market("o-1"));
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 1);
        CompletableFuture<?> closing = alice.ask("closeSession", EPOCH, false);
        Awaitility.await().until(() -> !alice.redis().exists("worker:active:alice"));
        assertThat(inHand).isNotDone();
        alice.venue.faults("");
        closing.get(15, TimeUnit.SECONDS);
        assertThat(inHand.get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        assertThat(alice.venue.orders()).hasSize(1);
    }

    @DisplayName("A7 each session is pinged; one that is not good is opened again when the venue is back")
    @Test
    void sessionsAreLookedAfter() throws Exception {
        alice.venue.restart();
        Awaitility.await().ignoreExceptions().atMost(SOON).untilAsserted(() -> submit("o-" + System.nanoTime()));
    }

    @DisplayName("A8 a session that is dropped declines its account's orders; opened again, it takes them")
    @Test
    void dropped() throws Exception {
        alice.ask("dropSession", EPOCH, ACCOUNT).get(10, TimeUnit.SECONDS);
        assertThat(alice.submit(market("o-1")).get(10, TimeUnit.SECONDS))
                .isEqualTo(new SubmitOutcome.Declined(SubmitOutcome.Cause.NO_SESSION));
        alice.ask("openSession", EPOCH, alice.sealed()).get(10, TimeUnit.SECONDS);
        submit("o-2");
    }

    @DisplayName("D2 the metadata say which order is in hand, when it was taken, and which sessions are open")
    @Test
    void metadata() throws Exception {
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> inHand = alice.submit(market("o-1"));
        Awaitility.await().until(() -> "o-1".equals(alice.redis().hget("worker:metadata:alice", "current_order")));
        assertThat(inHand).isNotDone();
        assertThat(alice.redis().hget("worker:metadata:alice", "idle_at")).isEmpty();
        assertThat(alice.redis().hget("worker:metadata:alice", "sessions")).isEqualTo("alpaca/equity/paper/paper");
        alice.venue.faults("");
        inHand.get(10, TimeUnit.SECONDS);
        Awaitility.await().until(() -> "".equals(alice.redis().hget("worker:metadata:alice", "current_order")));
        Instant last = Instant.parse(alice.redis().hget("worker:metadata:alice", "last_order_at"));
        assertThat(alice.redis().hget("worker:metadata:alice", "idle_at"))
                .isEqualTo(last.plus(IDLE_AFTER).toString());
    }

    @DisplayName("E10 Redis without the epoch: the lifecycle is told, the worker stays, and re-marks when it is back")
    @Test
    void lostEpoch() {
        alice.redis().flushAll();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> alice.signals("worker:alice").contains("seen"));
        alice.redis().set("worker:epoch:alice", Long.toString(EPOCH));
        Awaitility.await().atMost(SOON).until(() -> alice.redis().exists("worker:active:alice"));
        assertThat(alice.worker.isEnded()).isFalse();
    }

    @DisplayName("X2 a worker that sees a newer epoch ends at once, and sends nothing more")
    @Test
    void superseded() throws Exception {
        alice.redis().set("worker:epoch:alice", Long.toString(EPOCH + 1));
        alice.worker.awaitEnd();
        assertThat(alice.worker.isSuperseded()).isTrue();
        assertThat(alice.redis().exists("worker:active:alice"))
                .as("its successor would find it taken")
                .isFalse();
        assertThat(alice.submit(market("late")).get(10, TimeUnit.SECONDS)).isInstanceOf(SubmitOutcome.Declined.class);
        assertThat(alice.venue.arrivals()).isEmpty();
    }
}
