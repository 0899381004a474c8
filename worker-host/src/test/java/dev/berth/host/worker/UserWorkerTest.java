package dev.berth.host.worker;

import static dev.berth.temporal.OrderSamples.belowMarket;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.TestHost;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.CancelOrder;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import dev.berth.workflows.worker.WorkerProcess;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserWorkerTest {
    private static final long EPOCH = WorkerFixture.EPOCH;

    private WorkerFixture alice;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        alice = new WorkerFixture(folder, 1);
    }

    @AfterEach
    void stop() {
        alice.close();
    }

    @Tag("X4")
    @DisplayName("The worker signals its process and key, and returns them when asked")
    @Test
    void reportsItsProcess() throws Exception {
        alice.startLifecycle();
        alice.worker.start();
        WorkerProcess self =
                new WorkerProcess(EPOCH, TestHost.task("task-1").taskArn(), "host-1", 4711, alice.publicKey());
        assertThat(Json.read(answer(alice.ask("attach", EPOCH)).toString(), WorkerProcess.class))
                .isEqualTo(self);
        Awaitility.await().until(() -> alice.signals("worker:alice").contains("attached"));
        assertThat(alice.first("worker:alice", "attached", WorkerProcess.class)).isEqualTo(self);
    }

    @Tag("X2")
    @DisplayName("A call for another epoch fails retryably")
    @Test
    void rejectsOtherEpoch() {
        alice.worker.start();
        for (CompletableFuture<JsonNode> asked : List.of(
                alice.ask("attach", EPOCH + 1),
                alice.ask("openSession", EPOCH - 1, alice.sealed()),
                alice.ask("ping", EPOCH + 1),
                alice.ask("closeSession", EPOCH + 1, false))) {
            ApplicationFailure failure = failure(asked);
            assertThat(failure.getType()).isEqualTo(FailureType.WRONG_EPOCH.code());
            assertThat(failure.isNonRetryable()).isFalse();
        }
        assertThat(alice.redis().exists("worker:active:alice")).isOne();
    }

    @Tag("X2")
    @DisplayName("A void epoch starts nothing")
    @Test
    void voidEpochStartsNothing() {
        alice.startLifecycle();
        alice.redis().set("worker:epoch:alice", "8");
        assertThat(alice.worker.start()).isFalse();
        assertThat(alice.redis().exists("worker:active:alice")).isZero();
        alice.worker.close();
        assertThat(alice.signals("worker:alice")).as("no attached signal").isEmpty();
    }

    @DisplayName("Refused credentials are not retried")
    @Test
    void refusedCredentialsAreNotRetried() {
        alice.venue.knows("alice", "another secret");
        alice.worker.start();
        ApplicationFailure failure = failure(alice.ask("openSession", EPOCH, alice.sealed()));
        assertThat(failure.getType()).isEqualTo(FailureType.CREDENTIALS_REFUSED.code());
        assertThat(failure.isNonRetryable()).isTrue();
        assertThat(failure.getOriginalMessage()).doesNotContain("paper-alice");
    }

    @DisplayName("Orders wait until the session is open")
    @Test
    void ordersWaitForSession() throws Exception {
        alice.worker.start();
        CompletableFuture<SubmitOutcome> waiting = alice.submit(market("o-1"));
        answer(alice.ask("ping", EPOCH));
        assertThat(waiting).isNotDone();
        assertThat(alice.venue.arrivals()).isEmpty();
        open();
        open();
        assertThat(answer(waiting)).isInstanceOf(Answered.class);
        assertThat(alice.venue.arrivals()).hasSize(1);
    }

    @Tag("E1")
    @DisplayName("Orders are sent one at a time")
    @Test
    void sendsOneOrderAtATime() throws Exception {
        alice.worker.start();
        open();
        alice.venue.faults("\"delayMillis\":400");
        List<CompletableFuture<SubmitOutcome>> orders = Stream.of("o-1", "o-2", "o-3")
                .map(id -> alice.submit(market(id)))
                .toList();
        for (CompletableFuture<SubmitOutcome> order : orders) {
            assertThat(answer(order)).isInstanceOf(Answered.class);
        }
        List<Instant> arrived = alice.venue.arrivals().stream()
                .map(arrival -> Instant.parse(arrival.path("time").asText()))
                .toList();
        assertThat(arrived).hasSize(3);
        assertThat(Duration.between(arrived.get(0), arrived.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(400));
        assertThat(Duration.between(arrived.get(1), arrived.get(2))).isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }

    @Tag("X3")
    @DisplayName("A look-up waits for the running submission; a cancel of another order does not")
    @Test
    void lookUpWaitsForSubmission() throws Exception {
        alice.worker.start();
        open();
        OrderRequest first = belowMarket("first");
        answer(alice.submit(first));
        alice.venue.faults("\"hold\":true");
        OrderRequest second = market("second");
        CompletableFuture<SubmitOutcome> sending = alice.submit(second);
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 2);
        CompletableFuture<JsonNode> found = alice.ask("findOrder", new FindOrder(second, 0, 1));

        JsonNode canceled = answer(alice.ask("cancelOrder", new CancelOrder(first, 0)));
        assertThat(canceled.path("report").path("status").asText()).isEqualTo("CANCELED");
        assertThat(sending).isNotDone();
        alice.venue.faults("");
        assertThat(answer(found).path("report").path("status").asText()).isEqualTo("FILLED");
    }

    @Tag("X3")
    @DisplayName("A look-up waits for a running replacement")
    @Test
    void lookUpWaitsForReplacement() throws Exception {
        alice.worker.start();
        open();
        OrderRequest order = belowMarket("o-1");
        answer(alice.submit(order));
        alice.venue.faults("\"hold\":true");
        ReplaceOrder replacement = new ReplaceOrder(order, 0, 1, OrderTerms.of(order), Decimal.ZERO);
        CompletableFuture<JsonNode> replaced = alice.ask("replaceOrder", replacement);
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 2);
        CompletableFuture<JsonNode> found = alice.ask("findOrder", new FindOrder(order, 1, 1));
        answer(alice.ask("ping", EPOCH));
        assertThat(found).isNotDone();
        alice.venue.faults("");

        assertThat(answer(found).path("report").path("version").asInt()).isEqualTo(1);
        assertThat(answer(replaced).path("outcome").asText()).isEqualTo("replaced");
        assertThat(alice.venue.orders()).hasSize(2);
    }

    @Tag("A12")
    @DisplayName("Closing finishes the current order, removes the heartbeat key and ends the process")
    @Test
    void closeFinishesCurrentOrder() throws Exception {
        alice.worker.start();
        open();
        alice.venue.faults("\"hold\":true");
        CompletableFuture<SubmitOutcome> sending = alice.submit(market("o-1"));
        Awaitility.await().until(() -> alice.venue.arrivals().size() == 1);
        CompletableFuture<JsonNode> closing = alice.ask("closeSession", EPOCH, false);
        Awaitility.await().until(() -> alice.redis().exists("worker:active:alice") == 0);
        assertThat(closing).isNotDone();
        alice.venue.faults("");

        assertThat(answer(sending)).isInstanceOf(Answered.class);
        closing.get(10, TimeUnit.SECONDS);
        assertThat(alice.redis().exists("worker:active:alice")).isZero();
        alice.worker.awaitEnd();
        CompletableFuture<SubmitOutcome> late = alice.submit(market("o-2"));
        answer(alice.ask("ping", EPOCH));
        assertThat(late).isNotDone();
        assertThat(alice.venue.orders()).hasSize(1);
    }

    private void open() throws Exception {
        alice.ask("openSession", EPOCH, alice.sealed()).get(10, TimeUnit.SECONDS);
    }

    private static <T> T answer(CompletableFuture<T> result) throws Exception {
        return result.get(10, TimeUnit.SECONDS);
    }

    /** The activity's own failure, under the workflow's and the activity's. */
    private static ApplicationFailure failure(CompletableFuture<?> asked) {
        try {
            throw new AssertionError("answered " + answer(asked));
        } catch (ExecutionException failed) {
            Throwable cause = failed;
            while (!(cause instanceof ApplicationFailure) && cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertThat(cause).isInstanceOf(ApplicationFailure.class);
            return (ApplicationFailure) cause;
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
