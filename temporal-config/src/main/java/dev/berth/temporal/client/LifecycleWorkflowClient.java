package dev.berth.temporal.client;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.FleetSwitch;
import dev.berth.workflows.worker.WorkerLifecycleOptions;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerState;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.batch.v1.BatchOperationSignal;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflowservice.v1.StartBatchOperationRequest;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Signals, starts and queries lifecycle workflows, and signals the pool. */
public final class LifecycleWorkflowClient {
    /** How long a signal to all lifecycles waits for a free batch operation. */
    private static final Duration BATCH_LIMIT = Duration.ofSeconds(8);

    /** A namespace runs one batch operation at a time unless its server is configured otherwise. */
    private static final RetryPolicy<Object> BATCH_RETRIES = RetryPolicy.builder()
            .handleIf(failure -> switch (Status.fromThrowable(failure).getCode()) {
                case UNAVAILABLE, RESOURCE_EXHAUSTED -> true;
                default -> false;
            })
            .withBackoff(Duration.ofMillis(100), Duration.ofSeconds(1))
            .withMaxDuration(BATCH_LIMIT)
            .withMaxRetries(-1)
            .build();

    private final WorkflowClient temporal;

    public LifecycleWorkflowClient(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /** Signals a user's lifecycle; false when the user has none. */
    public boolean signal(UserId userId, Consumer<WorkerLifecycleWorkflow> signal) {
        return signal(temporal.newWorkflowStub(WorkerLifecycleWorkflow.class, WorkflowIds.worker(userId)), signal);
    }

    /** Signals the pool of a group; false when there is none. */
    public boolean signalPool(UserGroup group, Consumer<PoolWorkflow> signal) {
        return signal(temporal.newWorkflowStub(PoolWorkflow.class, PoolNames.workflowId(group)), signal);
    }

    private static <W> boolean signal(W workflow, Consumer<W> signal) {
        try {
            signal.accept(workflow);
            return true;
        } catch (WorkflowNotFoundException none) {
            return false;
        }
    }

    /** Signals a user's lifecycle, and starts the lifecycle when the user has none. */
    public void signalWithStart(UserId userId, Consumer<WorkerLifecycleWorkflow> signal) {
        WorkerLifecycleWorkflow lifecycle =
                temporal.newWorkflowStub(WorkerLifecycleWorkflow.class, WorkerLifecycleOptions.of(userId));
        BatchRequest both = temporal.newSignalWithStartRequest();
        both.add(() -> lifecycle.run(WorkerState.none(userId)));
        both.add(() -> signal.accept(lifecycle));
        temporal.signalWithStart(both);
    }

    /** Reports a running task to the user's lifecycle, which adopts or stops the task. */
    public void reportWorker(UserId userId, long epoch, String taskArn) {
        // A request for proofs of death uses epoch 0 for "none"; the first epoch is 1.
        signalWithStart(userId, lifecycle -> lifecycle.workerFound(Math.max(1, epoch), taskArn));
    }

    /** Empty when the user never had a worker. */
    public Optional<WorkerState> state(UserId userId) {
        try {
            WorkerLifecycleWorkflow lifecycle =
                    temporal.newWorkflowStub(WorkerLifecycleWorkflow.class, WorkflowIds.worker(userId));
            return Optional.of(TemporalDeadline.call(lifecycle::state));
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        }
    }

    /** Empty when the user's lifecycle does not run. */
    public Optional<WorkerState> stateIfRunning(UserId userId) {
        return isRunning(userId) ? state(userId) : Optional.empty();
    }

    /** By the execution itself, not by visibility. */
    public boolean isRunning(UserId userId) {
        try {
            return temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId))
                            .describe()
                            .getStatus()
                    == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
        } catch (WorkflowNotFoundException none) {
            return false;
        }
    }

    /**
     * Signals all running lifecycles in a batch operation, which the server completes even when
     * this process ends. While the namespace already runs as many batch operations as it may, the
     * call is repeated for {@link #BATCH_LIMIT}.
     *
     * @param jobId a second call with the same id does nothing
     * @throws StatusRuntimeException when the server did not accept the operation
     */
    public void signalAll(FleetSwitch change, String jobId) {
        Failsafe.with(BATCH_RETRIES).run(() -> startBatch(jobId, change));
    }

    private void startBatch(String jobId, FleetSwitch change) {
        try {
            temporal.getWorkflowServiceStubs()
                    .blockingStub()
                    .startBatchOperation(StartBatchOperationRequest.newBuilder()
                            .setNamespace(temporal.getOptions().getNamespace())
                            .setVisibilityQuery(LifecycleIndex.RUNNING)
                            .setJobId(jobId)
                            // No reason that a person wrote: the server stores it in clear.
                            .setReason(WorkerLifecycleWorkflow.FLEET_SWITCHED)
                            .setSignalOperation(BatchOperationSignal.newBuilder()
                                    .setSignal(WorkerLifecycleWorkflow.FLEET_SWITCHED)
                                    .setInput(payloads(change))
                                    .setIdentity(temporal.getOptions().getIdentity()))
                            .build());
        } catch (StatusRuntimeException refused) {
            // An earlier call was accepted and its answer lost, or another process called first.
            if (refused.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
                throw refused;
            }
        }
    }

    private Payloads payloads(FleetSwitch change) {
        return temporal.getOptions().getDataConverter().toPayloads(change).orElse(Payloads.getDefaultInstance());
    }
}
