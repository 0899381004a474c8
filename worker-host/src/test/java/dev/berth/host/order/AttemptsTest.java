package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.order.Attempts.Attempt;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.VenueReport;
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
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");
    private static final VenueReport NEWS = FakeSession.report(OrderStatus.FILLED);

    private final Attempts attempts = new Attempts();

    @DisplayName("X3 an attempt that was declared unsent never begins; the next one does")
    @Test
    void whatIsForbiddenDoesNotBegin() throws Exception {
        assertThat(attempts.awaitEnd(ID, 2, 0)).isTrue();
        assertThat(attempts.begin(ID, 1)).isEmpty();
        assertThat(attempts.begin(ID, 2)).isEmpty();
        assertThat(attempts.begin(ID, 3)).isPresent();
        assertThat(attempts.begin(new ClientOrderId("o-2"), 1)).isPresent();
    }

    @Test
    void aLateQuestionAboutAnEarlierAttemptAllowsNothing() throws Exception {
        attempts.awaitEnd(ID, 2, 0);
        attempts.awaitEnd(ID, 1, 0);
        assertThat(attempts.begin(ID, 2)).isEmpty();
    }

    @DisplayName("E6 an order that is in hand is not taken twice")
    @Test
    void oneAttemptInHand() {
        Attempt attempt = begin(1);
        assertThatThrownBy(() -> attempts.begin(ID, 2)).hasMessageContaining("may still write");
        assertThat(attempts.isIdleFor(Duration.ZERO)).isFalse();
        attempts.end(ID, attempt);
        assertThat(attempts.isIdleFor(Duration.ZERO)).isTrue();
        assertThat(attempts.isIdleFor(Duration.ofMinutes(1))).isFalse();
        assertThat(attempts.begin(ID, 2)).isPresent();
    }

    @DisplayName("X3 whoever asks waits until the attempt in hand can not write any more")
    @Test
    void awaitsTheEnd() throws Exception {
        Attempt attempt = begin(1);
        assertThat(attempts.awaitEnd(ID, 1, 0)).isFalse();
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> asking = other.submit(() -> attempts.awaitEnd(ID, 1, 10));
            attempts.end(ID, attempt);
            assertThat(asking.get(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(attempts.begin(ID, 1)).isEmpty();
    }

    @DisplayName("X3 between beginning and forbidding exactly one wins, however they race")
    @Test
    void beginAndForbidRace() throws Exception {
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
                // "Absent" may be told exactly when the attempt can not begin.
                boolean surelyUnsent = attempts.awaitEnd(id, 1, 0);
                assertThat(begun.get().isPresent()).isNotEqualTo(surelyUnsent);
            }
        }
    }

    @Test
    void newsOfAnOrderInHandWaitForItsAnswer() {
        assertThat(attempts.keepNews(ID, NEWS)).isFalse();
        Attempt attempt = begin(1);
        assertThat(attempts.keepNews(ID, NEWS)).isTrue();
        assertThat(attempts.end(ID, attempt)).contains(NEWS);
        assertThat(attempts.keepNews(ID, NEWS)).isFalse();
    }

    @DisplayName("B4 the newest report is kept with the executions of all of them, each once")
    @Test
    void keepsEveryExecution() {
        Attempt attempt = begin(1);
        Execution first = FakeSession.execution("e-1", "4");
        Execution second = FakeSession.execution("e-2", "6");
        VenueReport newest = at(2).with(List.of(second));
        attempts.keepNews(ID, at(1).with(List.of(first)));
        attempts.keepNews(ID, newest);
        attempts.keepNews(ID, at(1).with(List.of(first)));
        assertThat(attempts.end(ID, attempt)).contains(newest.with(List.of(first, second)));
    }

    private static VenueReport at(int second) {
        return new VenueReport(
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

    @DisplayName("B4 whoever answers waits until the executions add up to what is filled, and no longer than he may")
    @Test
    void awaitsExecutions() throws Exception {
        Attempt attempt = begin(1);
        Execution first = FakeSession.execution("e-1", "4");
        Execution second = FakeSession.execution("e-2", "6");
        attempts.keepNews(ID, NEWS.with(List.of(first)));
        assertThat(attempt.awaitExecutions(Decimal.of("4"), Duration.ofMinutes(1)))
                .containsExactly(first);
        assertThat(attempt.awaitExecutions(Decimal.of("10"), Duration.ofMillis(20)))
                .containsExactly(first);
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Execution>> answering =
                    other.submit(() -> attempt.awaitExecutions(Decimal.of("10"), Duration.ofMinutes(1)));
            attempts.keepNews(ID, NEWS.with(List.of(second)));
            assertThat(answering.get(5, TimeUnit.SECONDS)).containsExactly(first, second);
        }
    }

    private Attempt begin(int number) {
        return attempts.begin(ID, number).orElseThrow();
    }
}
