package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrderSubmissionTest {
    private static final OrderRequest ORDER = market("o-1");

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private final FakeSession session = new FakeSession();
    private final Attempts attempts = new Attempts();
    private final HangDetector hangDetector = new HangDetector(Duration.ofMinutes(3), _ -> {});
    /** Calls that the test starts later. */
    private final List<Runnable> waiting = new ArrayList<>();

    private TestGateway gateway;
    private OrderSubmission submission;

    @BeforeEach
    void start() throws Exception {
        gateway = new TestGateway(redis);
        WorkerGatewayClient client = gateway.worker("task-1", ALICE, 7).client();
        submission = new OrderSubmission(
                new BrokerCalls(hangDetector, (_, call) -> waiting.add(call)),
                attempts,
                new SendGate(() -> true, new ServerClock(), client),
                new SentOrders(),
                new WriteIntents(client),
                new ExecutionReportPublisher(client, attempts, new CancelReports()));
    }

    @AfterEach
    void stop() {
        hangDetector.close();
        gateway.close();
    }

    @Tag("B4")
    @DisplayName("A final answer counts more than what the stream reported before it, whose executions it keeps")
    @Test
    void finalAnswerIsNewest() {
        Optional<ExecutionReport> filled = Optional.of(FakeSession.report(OrderStatus.FILLED));
        Optional<ExecutionReport> partly = Optional.of(FakeSession.report(OrderStatus.PARTIALLY_FILLED)
                .withExecutions(List.of(FakeSession.execution("e-1", "4"))));
        ExecutionReport newest = OrderSubmission.newest(filled, partly).orElseThrow();
        assertThat(newest.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(newest.executions()).hasSize(1);
        assertThat(OrderSubmission.newest(partly, filled)).isEqualTo(filled);
        assertThat(OrderSubmission.newest(partly, Optional.empty())).isEqualTo(partly);
    }

    @Tag("B4")
    @DisplayName("A report that says what the answer said is not passed on; one with news is")
    @Test
    void reportInTheAnswer() {
        ExecutionReport accepted = FakeSession.report(OrderStatus.NEW);
        ExecutionReport partly = FakeSession.report(OrderStatus.PARTIALLY_FILLED);
        ExecutionReport fill = accepted.withExecutions(List.of(FakeSession.execution("e-1", "4")));
        assertThat(OrderSubmission.includes(accepted, accepted)).isTrue();
        assertThat(OrderSubmission.includes(fill, accepted)).isTrue();
        assertThat(OrderSubmission.includes(accepted, fill)).isFalse();
        assertThat(OrderSubmission.includes(accepted, partly)).isFalse();
        assertThat(OrderSubmission.includes(accepted, accepted.withVenueStatus("another")))
                .isFalse();
    }

    @Tag("X3")
    @DisplayName("A submission that is given up before its thread starts is not sent")
    @Test
    void notSentWhenGivenUpBeforeStart() {
        Attempts.Attempt attempt = attempts.begin(ORDER.clientOrderId(), 1).orElseThrow();
        OrderSubmission.Ready ready = new OrderSubmission.Ready(
                ORDER, ORDER.deadline(), session.prepare(ORDER), OrderIdentity.UNIQUE, attempt, Instant.now());
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(SendGateTest.activity(false))) {
            assertThatThrownBy(() -> submission.send(ready, Duration.ofMillis(1), heartbeat))
                    .isInstanceOf(NotSentException.class);
        }
        assertThat(attempts.current()).isEmpty();
        waiting.forEach(Runnable::run);
        assertThat(session.sent).isEmpty();
        assertThat(attempts.begin(ORDER.clientOrderId(), 2)).isPresent();
    }
}
