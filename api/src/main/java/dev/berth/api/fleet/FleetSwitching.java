package dev.berth.api.fleet;

import dev.berth.activities.RunningWorkflows;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.api.Problem;
import dev.berth.workflows.worker.FleetSwitch;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.batch.v1.BatchOperationSignal;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.workflowservice.v1.StartBatchOperationRequest;
import io.temporal.client.WorkflowClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Suspends or resumes all workers: first where every start looks, then by telling all lifecycles that there are. */
@Component
class FleetSwitching {
    private static final Logger LOG = LoggerFactory.getLogger(FleetSwitching.class);

    private static final String JOB = "fleet-switch-";

    private final PostgresFleetSwitches switches;
    private final WorkflowClient temporal;

    FleetSwitching(PostgresFleetSwitches switches, WorkflowClient temporal) {
        this.switches = switches;
        this.temporal = temporal;
    }

    /**
     * Repeating it is harmless: every lifecycle passes over a word that is older than its last.
     *
     * @throws Problem.Refusal when it is set, but those who run already could not be told
     */
    FleetSwitch change(boolean suspended, String reason, String by) {
        FleetSwitch now = switches.change(suspended, reason, by);
        LOG.warn("all workers {} by {}: {}", suspended ? "suspended" : "resumed", by, reason);
        try {
            tellAll(now, JOB + now.version());
        } catch (StatusRuntimeException notStarted) {
            LOG.warn("the running workers were not told of switch {}", now.version(), notStarted);
            throw Problem.UNAVAILABLE.because("No worker will be started against this, but those that run could not be"
                    + " told. Repeat it: that is harmless.");
        }
        return now;
    }

    /** Tells it once more, whichever process asks for that and however often. */
    void repeat(FleetSwitch now) {
        tellAll(now, JOB + now.version() + "-repeated");
    }

    /** The server does it, whether this process lives on or not. */
    private void tellAll(FleetSwitch now, String job) {
        try {
            temporal.getWorkflowServiceStubs()
                    .blockingStub()
                    .startBatchOperation(StartBatchOperationRequest.newBuilder()
                            .setNamespace(temporal.getOptions().getNamespace())
                            .setVisibilityQuery(RunningWorkflows.LIFECYCLES)
                            .setJobId(job)
                            .setReason(String.valueOf(now.reason()))
                            .setSignalOperation(BatchOperationSignal.newBuilder()
                                    .setSignal("fleetSwitched")
                                    .setInput(payload(now))
                                    .setIdentity(temporal.getOptions().getIdentity()))
                            .build());
        } catch (StatusRuntimeException refused) {
            // The answer to an earlier try of the client was lost, or another process was first.
            if (refused.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
                throw refused;
            }
        }
    }

    private Payloads payload(FleetSwitch now) {
        return temporal.getOptions().getDataConverter().toPayloads(now).orElseThrow();
    }
}
