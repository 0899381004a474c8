package dev.berth.host.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.broker.RequestBudget.Purpose;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("X19")
class RequestBudgetTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RequestBudget budget = new RequestBudget(100, nanos::get);

    private int takeAll(Purpose purpose) throws InterruptedException {
        int taken = 0;
        while (budget.take(purpose, Duration.ZERO)) {
            taken++;
        }
        return taken;
    }

    @Test
    @DisplayName("Checks leave requests for submissions, and submissions leave some for cancels")
    void cancelsComeBeforeSubmissionsBeforeChecks() throws Exception {
        assertThat(takeAll(Purpose.CHECK)).isEqualTo(70);
        assertThat(takeAll(Purpose.SUBMISSION)).isEqualTo(20);
        assertThat(budget.used()).isEqualTo(90);
        assertThat(takeAll(Purpose.CANCEL)).isEqualTo(10);
        assertThat(budget.used()).isEqualTo(100);
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(budget.used()).isZero();
        assertThat(takeAll(Purpose.CANCEL)).isEqualTo(100);
    }

    @Tag("T1")
    @Test
    @DisplayName("Reads of an account leave half of the budget, and never wait for it")
    void readsLeaveHalf() throws Exception {
        assertThat(takeAll(Purpose.READ)).isEqualTo(50);
        assertThat(takeAll(Purpose.CHECK)).isEqualTo(20);
        assertThat(Purpose.READ.waitWithin(Duration.ofSeconds(15))).isZero();
        assertThat(Purpose.CHECK.waitWithin(Duration.ofSeconds(15))).isEqualTo(Duration.ofSeconds(2));
        assertThat(Purpose.CANCEL.waitWithin(Duration.ofSeconds(15))).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    @DisplayName("The broker's count includes requests of other applications")
    void brokerCorrectsTheCount() throws Exception {
        budget.observe(200, 150, Duration.ofSeconds(10));
        budget.observe(200, 25, Duration.ofSeconds(10));
        assertThat(budget.used()).isEqualTo(88);
        assertThat(takeAll(Purpose.CHECK)).isZero();
        assertThat(takeAll(Purpose.SUBMISSION)).isEqualTo(5);
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(takeAll(Purpose.CANCEL)).isEqualTo(200);
    }

    @Test
    @Timeout(10)
    @DisplayName("Who cannot wait for the end of the broker's pause does not wait at all")
    void longPauseKeepsNobody() throws Exception {
        budget.pause(Duration.ofMinutes(1));
        assertThat(budget.take(Purpose.CANCEL, Duration.ofSeconds(59))).isFalse();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(budget.take(Purpose.CHECK, Duration.ZERO)).isTrue();
    }

    @Test
    @DisplayName("A larger limit of the broker counts at once")
    void largerLimitCountsAtOnce() throws Exception {
        budget.observe(10_000, 9_999, Duration.ofSeconds(50));
        assertThat(takeAll(Purpose.CHECK)).isEqualTo(6_999);
    }
}
