package dev.berth.host.order;

import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.market;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestRedis;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.workflows.order.OrderRequest;
import io.temporal.testing.TestWorkflowEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendingTest {
    private static final OrderRequest ORDER = market("o-1");

    private final FakeSession session = new FakeSession();
    private final Attempts attempts = new Attempts();
    private final HangWatch watch = new HangWatch(Duration.ofMinutes(3), _ -> {});
    /** Calls whose threads get no turn until the test gives them one. */
    private final List<Runnable> waiting = new ArrayList<>();

    private TestRedis redis;
    private TestWorkflowEnvironment temporal;
    private Sending sending;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
        temporal = TestWorkflowEnvironment.newInstance();
        sending = new Sending(
                new BrokerCalls(watch, (_, call) -> waiting.add(call)),
                attempts,
                new SendGate(() -> true, new ServerClock(), redis.client()),
                new OrderNews(ALICE, temporal.getWorkflowClient(), redis.client(), attempts));
    }

    @AfterEach
    void stop() {
        watch.close();
        temporal.close();
        redis.close();
    }

    @DisplayName("X3 a submission that is given up before its thread began was not sent, and is not in hand any more")
    @Test
    void givenUpBeforeItBegan() {
        Attempts.Attempt attempt = attempts.begin(ORDER.clientOrderId(), 1).orElseThrow();
        Sending.Ready ready = new Sending.Ready(ORDER, 1, session.prepare(ORDER), attempt, Instant.now());
        try (Heartbeat heartbeat = Heartbeat.of(SendGateTest.activity(false))) {
            assertThatThrownBy(() -> sending.send(ready, Duration.ofMillis(1), heartbeat))
                    .isInstanceOf(NotSentException.class);
        }
        assertThat(attempts.current()).isEmpty();
        waiting.forEach(Runnable::run);
        assertThat(session.sent).isEmpty();
        assertThat(attempts.begin(ORDER.clientOrderId(), 2)).isPresent();
    }
}
