package dev.berth.activities.maintenance;

import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerState;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.ArrayList;
import java.util.List;

/** A lifecycle that records its signals, and keeps the state of its input. */
@WorkflowInterface
public interface LifecycleSamples {
    @WorkflowMethod(name = WorkerLifecycleWorkflow.TYPE)
    void run(WorkerState worker);

    @SignalMethod
    void heartbeatExpired();

    @SignalMethod
    void taskStopped(String taskArn, String reason);

    @SignalMethod
    void workerFound(long epoch, String taskArn);

    @QueryMethod
    WorkerState state();

    @QueryMethod
    List<String> signals();

    /** Takes no action. */
    final class Listening implements LifecycleSamples {
        private final List<String> signals = new ArrayList<>();
        private final WorkerState worker;

        @WorkflowInit
        public Listening(WorkerState worker) {
            this.worker = worker;
        }

        @Override
        public void run(WorkerState input) {
            Workflow.await(() -> false);
        }

        @Override
        public void heartbeatExpired() {
            signals.add("heartbeatExpired");
        }

        @Override
        public void taskStopped(String taskArn, String reason) {
            signals.add("taskStopped " + taskArn);
        }

        @Override
        public void workerFound(long epoch, String taskArn) {
            signals.add("workerFound " + epoch + " " + taskArn);
        }

        @Override
        public WorkerState state() {
            return worker;
        }

        @Override
        public List<String> signals() {
            return List.copyOf(signals);
        }
    }
}
