package dev.berth.rest.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.risk.RiskStore;
import dev.berth.rest.Problem;
import dev.berth.rest.risk.RiskCopy;
import dev.berth.rest.risk.SendGates;
import dev.berth.rest.risk.StoppedEpochs;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.worker.DesiredState;
import dev.berth.workflows.worker.FleetSwitch;
import dev.berth.workflows.worker.WorkerLifecycleOptions;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerState;
import io.temporal.common.converter.EncodedValues;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.DynamicQueryHandler;
import io.temporal.workflow.DynamicSignalHandler;
import io.temporal.workflow.DynamicWorkflow;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WorkerStopTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final TestWorkflowEnvironment temporal = OrderSamples.temporal(false);
    /** The epoch whose gate is closed, at each wait for the gates. */
    private final List<@Nullable String> waits = new ArrayList<>();

    private WorkerStop stop;

    /** A lifecycle of epoch 7. */
    public static final class Lifecycle implements DynamicWorkflow {
        private WorkerState state = WorkerState.none(ALICE);

        @Override
        public @Nullable Object execute(EncodedValues input) {
            Workflow.registerListener((DynamicSignalHandler) (signal, arguments) -> {
                if (signal.equals("stop")) {
                    String reason = arguments.get(0, String.class);
                    state = WorkerState.none(ALICE)
                            .withDesired(new DesiredState(false, reason, null, FleetSwitch.UNTOUCHED, 7))
                            .withEpoch(7)
                            .withRaised(7);
                }
            });
            Workflow.registerListener((DynamicQueryHandler) (_, _) -> state);
            Workflow.await(() -> false);
            return null;
        }
    }

    @BeforeEach
    void start() {
        temporal.newWorker(TaskQueues.FLEET).registerWorkflowImplementationTypes(Lifecycle.class);
        temporal.start();
        RiskCopy copy = new RiskCopy(new RiskStore(postgres.client(), postgres.transactions()), redis.commands());
        stop = new WorkerStop(
                new LifecycleWorkflowClient(temporal.getWorkflowClient()),
                new SendGates(
                        copy,
                        new StoppedEpochs(redis.commands()),
                        _ -> waits.add(redis.commands().get(RedisKeys.stopped(ALICE)))));
    }

    @AfterEach
    void close() {
        temporal.close();
    }

    private void startLifecycle() {
        temporal.getWorkflowClient()
                .newUntypedWorkflowStub(WorkerLifecycleWorkflow.TYPE, WorkerLifecycleOptions.of(ALICE))
                .start(WorkerState.none(ALICE));
    }

    @Test
    @Tag("X33")
    @DisplayName("A stop closes the gate of the very epoch that the lifecycle ends, and waits for the gates")
    void gateOfStoppedEpochIsClosed() {
        startLifecycle();
        stop.stop(ALICE, "logged out");
        assertThat(waits).containsExactly("7");
    }

    @Test
    @Tag("X33")
    @DisplayName("Without a lifecycle a stop closes no gate: no later order would pass it")
    void nothingIsClosedWithoutLifecycle() {
        stop.stop(ALICE, "logged out");
        assertThat(waits).isEmpty();
        assertThat(redis.commands().exists(RedisKeys.stopped(ALICE))).isZero();
    }

    @Test
    @Tag("X33")
    @DisplayName("A stop whose gate cannot be closed is 503")
    void withoutRedisIsUnavailable() throws Exception {
        startLifecycle();
        redis.stop();
        try {
            assertThatThrownBy(() -> stop.stop(ALICE, "logged out"))
                    .isInstanceOfSatisfying(
                            Problem.Refusal.class,
                            refusal -> assertThat(refusal.status()).isEqualTo(Problem.UNAVAILABLE.status()))
                    .hasMessageContaining("Repeat the call");
        } finally {
            redis.restart();
        }
        stop.stop(ALICE, "logged out");
        assertThat(waits).containsExactly("7");
    }
}
