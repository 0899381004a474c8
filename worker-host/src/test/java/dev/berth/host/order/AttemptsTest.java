package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.order.Attempts.Attempt;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");
    private static final ExecutionReport REPORT = FakeSession.report(OrderStatus.FILLED);

    private final Attempts attempts = new Attempts();

    @Tag("X3")
    @DisplayName("An attempt that was reported as not sent never starts")
    @Test
    void forbiddenAttemptDoesNotStart() throws Exception {
        assertThat(attempts.awaitEnd(ID, 2, 0)).isTrue();
        assertThat(attempts.begin(ID, 1)).isEmpty();
        assertThat(attempts.begin(ID, 2)).isEmpty();
        assertThat(attempts.begin(ID, 3)).isPresent();
        assertThat(attempts.begin(new ClientOrderId("o-2"), 1)).isPresent();
    }

    @Test
    void lateLookUpAllowsNothing() throws Exception {
        attempts.awaitEnd(ID, 2, 0);
        attempts.awaitEnd(ID, 1, 0);
        assertThat(attempts.begin(ID, 2)).isEmpty();
    }

    @Tag("E6")
    @DisplayName("One attempt of an order runs at a time")
    @Test
    void runsOneAttemptAtATime() {
        Attempt attempt = begin(1);
        assertThatThrownBy(() -> attempts.begin(ID, 2)).hasMessageContaining("may still write");
        assertThat(attempts.isIdleFor(Duration.ZERO)).isFalse();
        attempts.end(ID, attempt);
        assertThat(attempts.isIdleFor(Duration.ZERO)).isTrue();
        assertThat(attempts.isIdleFor(Duration.ofMinutes(1))).isFalse();
        assertThat(attempts.begin(ID, 2)).isPresent();
    }

    @Tag("X3")
    @DisplayName("A look-up waits until the attempt cannot write any more")
    @Test
    void awaitsEndOfAttempt() throws Exception {
        Attempt attempt = begin(1);
        assertThat(attempts.awaitEnd(ID, 1, 0)).isFalse();
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> asking = other.submit(() -> attempts.awaitEnd(ID, 1, 10));
            attempts.end(ID, attempt);
            assertThat(asking.get(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(attempts.begin(ID, 1)).isEmpty();
    }

    @Tag("X3")
    @DisplayName("Exactly one of starting and forbidding wins")
    @Test
    void startAndForbidRace() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2_000; i++) {
                ClientOrderId id = new ClientOrderId("race-" + i);
                CountDownLatch start = new CountDownLatch(2);
                Future<Optional<Attempt>> begun = threads.submit(() -> {
                    start.countDown();
                    start.await();
                    return attempts.begin(id, 1);
                });
                start.countDown();
                start.await();
                // "Absent" is correct exactly when the attempt cannot start.
                boolean surelyUnsent = attempts.awaitEnd(id, 1, 0);
                assertThat(begun.get().isPresent()).isNotEqualTo(surelyUnsent);
            }
        }
    }

    @Test
    void reportsReturnWithResult() {
        assertThat(attempts.keepReport(ID, REPORT)).isFalse();
        Attempt attempt = begin(1);
        assertThat(attempts.keepReport(ID, REPORT)).isTrue();
        assertThat(attempts.end(ID, attempt)).contains(REPORT);
        assertThat(attempts.keepReport(ID, REPORT)).isFalse();
    }

    @Tag("B4")
    @DisplayName("The result has the newest report and every execution once")
    @Test
    void keepsEveryExecution() {
        Attempt attempt = begin(1);
        Execution first = FakeSession.execution("e-1", "4");
        Execution second = FakeSession.execution("e-2", "6");
        ExecutionReport newest = reportAt(2).withExecutions(List.of(second));
        attempts.keepReport(ID, reportAt(1).withExecutions(List.of(first)));
        attempts.keepReport(ID, newest);
        attempts.keepReport(ID, reportAt(1).withExecutions(List.of(first)));
        assertThat(attempts.end(ID, attempt)).contains(newest.withExecutions(List.of(first, second)));
    }

    private static ExecutionReport reportAt(int second) {
        return new ExecutionReport(
                0,
                null,
                OrderStatus.PARTIALLY_FILLED,
                "partially_filled",
                "v-1",
                Decimal.of("10"),
                null,
                null,
                Instant.ofEpochSecond(second),
                List.of(),
                Instant.EPOCH,
                7);
    }

    @Tag("B4")
    @DisplayName("The result waits for its executions, up to the timeout")
    @Test
    void awaitsExecutions() throws Exception {
        Attempt attempt = begin(1);
        Execution first = FakeSession.execution("e-1", "4");
        Execution second = FakeSession.execution("e-2", "6");
        attempts.keepReport(ID, REPORT.withExecutions(List.of(first)));
        assertThat(attempt.awaitExecutions(Decimal.of("4"), Duration.ofMinutes(1)))
                .containsExactly(first);
        assertThat(attempt.awaitExecutions(Decimal.of("10"), Duration.ofMillis(20)))
                .containsExactly(first);
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Execution>> answering =
                    other.submit(() -> attempt.awaitExecutions(Decimal.of("10"), Duration.ofMinutes(1)));
            attempts.keepReport(ID, REPORT.withExecutions(List.of(second)));
            assertThat(answering.get(5, TimeUnit.SECONDS)).containsExactly(first, second);
        }
    }

    private Attempt begin(int number) {
        return attempts.begin(ID, number).orElseThrow();
    }
}
