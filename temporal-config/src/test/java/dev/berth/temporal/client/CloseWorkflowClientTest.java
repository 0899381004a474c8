package dev.berth.temporal.client;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.temporal.OrderSamples;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.position.ClosePositionsWorkflow;
import dev.berth.workflows.position.CloseReport;
import dev.berth.workflows.position.CloseRequest;
import io.temporal.client.WorkflowFailedException;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T3")
class CloseWorkflowClientTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final AtomicInteger runs = new AtomicInteger();

    private final TestWorkflowEnvironment server = OrderSamples.temporal(false);
    private final CloseWorkflowClient client = new CloseWorkflowClient(server.getWorkflowClient());

    /** The first run fails when its symbol is FAIL. */
    public static final class Close implements ClosePositionsWorkflow {
        @Override
        public CloseReport run(CloseRequest request) {
            if (runs.incrementAndGet() == 1 && "FAIL".equals(request.symbol())) {
                throw FailureType.NOT_SUPPORTED.failure("no account here");
            }
            return new CloseReport(List.of());
        }
    }

    @BeforeEach
    void start() {
        runs.set(0);
        server.newWorker(TaskQueues.ORDERS).registerWorkflowImplementationTypes(Close.class);
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static CloseRequest request(UserId userId, String key, @Nullable String symbol) {
        return new CloseRequest(userId, ACCOUNT, symbol, key, false, null);
    }

    @Test
    @DisplayName("A key runs once for its user, answers again, and takes no other body")
    void keyRunsOnce() {
        CloseRequest request = request(ALICE, "a key: of any form", null);
        assertThat(client.start(request)).isTrue();
        assertThat(client.await(request, WITHIN)).isEqualTo(Optional.of(new CloseReport(List.of())));
        assertThat(client.start(request)).isTrue();
        assertThat(client.await(request, WITHIN)).isPresent();
        assertThat(client.start(request(ALICE, request.key(), "AAPL"))).isFalse();
        assertThat(runs).hasValue(1);
        assertThat(client.start(request(BOB, request.key(), null))).isTrue();
        assertThat(client.await(request(BOB, request.key(), null), WITHIN)).isPresent();
        assertThat(runs).hasValue(2);
    }

    @Test
    @DisplayName("A key whose run failed runs again")
    void failedKeyRunsAgain() {
        CloseRequest request = request(ALICE, "k-1", "FAIL");
        assertThat(client.start(request)).isTrue();
        Assertions.assertThatThrownBy(() -> client.await(request, WITHIN)).isInstanceOf(WorkflowFailedException.class);
        assertThat(client.start(request)).isTrue();
        assertThat(client.await(request, WITHIN)).isPresent();
    }
}
