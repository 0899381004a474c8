package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.order.SubmitOutcome.Cause;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCanceledException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SendGateTest {
    private static final Instant HANDED_OUT = Instant.parse("2026-03-02T12:00:00Z");

    private Duration passed = Duration.ZERO;
    private final ServerClock server = new ServerClock(() -> passed.toNanos());
    private final SendGate gate = new SendGate(() -> true, server);

    @BeforeEach
    void aTaskCame() {
        server.heard(HANDED_OUT.toEpochMilli());
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
            passed = Duration.ofMillis(9_999);
            assertThat(gate.objection(deadline, beating)).isEmpty();
            passed = Duration.ofSeconds(10);
            assertThat(gate.objection(deadline, beating)).contains(Cause.DEADLINE_PASSED);
        }
    }

    @DisplayName("X2 no lease, no sending")
    @Test
    void theLease() {
        try (Heartbeat beating = Heartbeat.of(activity(false))) {
            assertThat(new SendGate(() -> false, server).objection(HANDED_OUT.plusSeconds(10), beating))
                    .contains(Cause.FENCED);
        }
    }

    @Test
    void aCancelThatAHeartbeatBrought() {
        try (Heartbeat beating = Heartbeat.of(activity(true))) {
            Awaitility.await()
                    .untilAsserted(() -> assertThat(gate.objection(HANDED_OUT.plusSeconds(10), beating))
                            .contains(Cause.CANCELED));
        }
    }
}
