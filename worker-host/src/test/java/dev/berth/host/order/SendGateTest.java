package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.order.SendGate.ServerTime;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCanceledException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SendGateTest {
    private static final Instant HANDED_OUT = Instant.parse("2026-03-02T12:00:00Z");

    private final SendGate gate = new SendGate(() -> true);

    /** The server handed the task out at {@link #HANDED_OUT}; so much has passed since this process got it. */
    private static ServerTime after(Duration passed) {
        return new ServerTime(HANDED_OUT.toEpochMilli(), System.nanoTime() - passed.toNanos());
    }

    private static ActivityExecutionContext activity(boolean canceled) {
        return (ActivityExecutionContext) Proxy.newProxyInstance(
                SendGateTest.class.getClassLoader(), new Class<?>[] {ActivityExecutionContext.class}, (_, _, _) -> {
                    if (canceled) {
                        throw new ActivityCanceledException();
                    }
                    return null;
                });
    }

    @DisplayName("X1 the deadline is measured by the server's time and what has passed here, not by the host's clock")
    @Test
    void theDeadline() {
        Instant deadline = HANDED_OUT.plusSeconds(10);
        try (Heartbeat beating = Heartbeat.of(activity(false))) {
            assertThat(gate.objection(deadline, after(Duration.ofSeconds(9)), beating))
                    .isEmpty();
            assertThat(gate.objection(deadline, after(Duration.ofSeconds(10)), beating))
                    .contains(Cause.DEADLINE_PASSED);
        }
    }

    @DisplayName("X2 no lease, no sending")
    @Test
    void theLease() {
        try (Heartbeat beating = Heartbeat.of(activity(false))) {
            assertThat(new SendGate(() -> false).objection(HANDED_OUT.plusSeconds(10), after(Duration.ZERO), beating))
                    .contains(Cause.FENCED);
        }
    }

    @Test
    void aCancelThatAHeartbeatBrought() {
        try (Heartbeat beating = Heartbeat.of(activity(true))) {
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(gate.objection(HANDED_OUT.plusSeconds(10), after(Duration.ZERO), beating))
                                    .contains(Cause.CANCELED));
        }
    }
}
