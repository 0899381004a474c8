package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.order.Attempts.Attempt;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.VenueReport;
import java.time.Duration;
import java.time.Instant;
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
    private static final VenueReport NEWS =
            new VenueReport(OrderStatus.FILLED, "filled", "v-1", Decimal.of("10"), null, null, Instant.EPOCH, 7);

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

    private Attempt begin(int number) {
        return attempts.begin(ID, number).orElseThrow();
    }
}
