package dev.berth.rest.fleet;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.audit.AuditLog;
import dev.berth.rest.audit.AuditOutcome;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.risk.RiskCopy;
import dev.berth.rest.risk.SendGates;
import dev.berth.rest.risk.StoppedEpochs;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.risk.OrderHold;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.RpcRetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.testing.TestWorkflowEnvironment;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.security.oauth2.jwt.Jwt;

/** Real PostgreSQL and Redis, and a Temporal whose workflows only collect their signals. */
class UserSuspensionTest {
    private static final Jwt OLGA =
            Jwt.withTokenValue("t").header("alg", "none").subject("olga").build();
    private static final ReasonBody REASON = new ReasonBody("margin call");

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final SuspensionStore store = new SuspensionStore(postgres.client(), postgres.transactions());

    private final TestWorkflowEnvironment temporal = OrderSamples.temporal(false);
    /** What was so at each wait for the gates: row, field of the copy, number of signals. */
    private final List<String> waits = new ArrayList<>();

    private SuspensionSignals signals;
    private UserSuspension suspension;

    @BeforeEach
    void create() {
        signals = signals(temporal.getWorkflowClient());
        suspension = suspension(signals);
    }

    @AfterEach
    void stop() {
        temporal.close();
    }

    private static SuspensionSignals signals(WorkflowClient client) {
        return new SuspensionSignals(store, new LifecycleWorkflowClient(client));
    }

    private UserSuspension suspension(SuspensionSignals signals) {
        HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(
                UserSuspensionTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (_, _, _) -> null);
        RiskCopy copy = new RiskCopy(new RiskStore(postgres.client(), postgres.transactions()), redis.commands());
        return new UserSuspension(
                store,
                new SendGates(copy, new StoppedEpochs(redis.commands()), this::waited),
                signals,
                new RequestAudit(new AuditLog(postgres.client(), postgres.transactions()), request));
    }

    private void waited(Duration time) {
        assertThat(time).isEqualTo(OrderHold.EFFECTIVE_AFTER);
        boolean isHeld = redis.commands().hexists(RedisKeys.HOLDS, "alice");
        waits.add(store.newest(ALICE).orElseThrow().suspended() + " " + isHeld + " " + signals());
    }

    private List<String> signals() {
        try {
            return temporal.getWorkflowClient().fetchHistory(WorkflowIds.worker(ALICE)).getEvents().stream()
                    .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                    .map(HistoryEvent::getWorkflowExecutionSignaledEventAttributes)
                    .map(signal -> signal.getSignalName())
                    .toList();
        } catch (StatusRuntimeException none) {
            return List.of();
        }
    }

    private static void assertUnavailable(Runnable call, String detail) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        Problem.Refusal.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(Problem.UNAVAILABLE.status()))
                .hasMessageContaining(detail)
                .hasMessageContaining("epeat the call");
    }

    @Test
    @Tag("X33")
    @DisplayName("A suspension is stored with its audit, then held, then signalled after the wait for the gates")
    void suspensionIsHeldBeforeSignal() {
        suspension.suspend(ALICE, REASON, OLGA);
        assertThat(waits).containsExactly("true true []");
        assertThat(signals()).containsExactly("suspend");
        assertThat(store.unsignalled(Duration.ZERO)).isEmpty();
        assertThat(postgres.client().queryForList("SELECT action || ' ' || outcome FROM audit", String.class))
                .containsExactly("SUSPEND_WORKER " + AuditOutcome.DONE);
        suspension.resume(ALICE, REASON, OLGA);
        assertThat(waits).as("a resume waits for no gate").hasSize(1);
        assertThat(redis.commands().hexists(RedisKeys.HOLDS, "alice")).isFalse();
        assertThat(signals()).containsExactly("suspend", "resume");
    }

    @Test
    @Tag("X33")
    @DisplayName("Without Redis a suspension is 503; it stays stored, and a repetition succeeds")
    void withoutRedisIsUnavailable() throws Exception {
        redis.stop();
        try {
            assertUnavailable(() -> suspension.suspend(ALICE, REASON, OLGA), "stored, but does not count");
            assertThat(waits).isEmpty();
            assertThat(signals()).isEmpty();
            assertThat(store.newest(ALICE).orElseThrow().suspended()).isTrue();
        } finally {
            redis.restart();
        }
        suspension.suspend(ALICE, REASON, OLGA);
        assertThat(signals()).containsExactly("suspend");
    }

    @Test
    @Tag("X33")
    @DisplayName("A suspension that could not be signalled is 503, holds the orders, and is signalled later")
    void lostSignalIsRepeated() {
        WorkflowServiceStubs unreachable = WorkflowServiceStubs.newServiceStubs(TemporalClients.stubs("127.0.0.1:1")
                .setRpcRetryOptions(
                        RpcRetryOptions.newBuilder().setMaximumAttempts(1).build())
                .build());
        try {
            UserSuspension unavailable = suspension(signals(WorkflowClient.newInstance(unreachable)));
            assertUnavailable(() -> unavailable.suspend(ALICE, REASON, OLGA), "could not be signalled");
        } finally {
            unreachable.shutdownNow();
        }
        assertThat(redis.commands().hexists(RedisKeys.HOLDS, "alice")).isTrue();
        signals.repeatUnsignalled(SuspensionRepeater.DELAY);
        assertThat(signals()).as("the call may still be under way").isEmpty();
        postgres.client().update("UPDATE suspensions SET changed_at = changed_at - interval '11 seconds'");
        signals.repeatUnsignalled(SuspensionRepeater.DELAY);
        signals.repeatUnsignalled(SuspensionRepeater.DELAY);
        assertThat(signals()).as("once").containsExactly("suspend");
    }

    @Test
    @Tag("D8")
    @Tag("X6")
    @DisplayName("A lifecycle that lost its suspension is signalled again")
    void suspensionIsSignalledAgain() {
        suspension.suspend(ALICE, REASON, OLGA);
        signals.signal(ALICE);
        assertThat(signals()).containsExactly("suspend", "suspend");
        suspension.resume(ALICE, REASON, OLGA);
        signals.signal(ALICE);
        assertThat(signals()).as("as PostgreSQL has it").endsWith("resume", "resume");
        signals.signal(BOB);
        assertThat(signals.suspended()).isEmpty();
    }
}
