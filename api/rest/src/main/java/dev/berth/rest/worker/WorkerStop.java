package dev.berth.rest.worker;

import dev.berth.rest.Problem;
import dev.berth.rest.risk.SendGates;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerState;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowQueryException;
import io.temporal.client.WorkflowServiceException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Stops a user's worker: the next order starts another. */
@Component
public class WorkerStop {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerStop.class);
    private static final String OTHERWISE = "The worker is told to stop, but may still send an order until it does."
            + " Repeat the call: that is harmless, unless an order has started the next worker, which then stops, too.";

    private final LifecycleWorkflowClient lifecycles;
    private final SendGates gates;

    public WorkerStop(LifecycleWorkflowClient lifecycles, SendGates gates) {
        this.lifecycles = lifecycles;
        this.gates = gates;
    }

    /**
     * Returns when the worker sends no further order. Without a worker nothing happens.
     *
     * @throws Problem.Refusal when that is not known
     */
    public void stop(UserId userId, String reason) {
        // First: a closed gate that no lifecycle knows of would hold every later order.
        if (lifecycles.signal(userId, lifecycle -> lifecycle.stop(reason))) {
            // Temporal answers a query after the signals before it.
            long epoch =
                    state(userId).map(state -> state.desired().stoppedEpoch()).orElse(0L);
            if (epoch > 0) {
                gates.close(userId, epoch, OTHERWISE);
            }
        }
    }

    private Optional<WorkerState> state(UserId userId) {
        try {
            return lifecycles.state(userId);
        } catch (StatusRuntimeException | WorkflowServiceException | WorkflowQueryException unavailable) {
            LOG.warn("the lifecycle of {} does not say which epoch it stops: {}", userId, unavailable.getMessage());
            throw Problem.UNAVAILABLE.because(OTHERWISE);
        }
    }
}
