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

/** A lifecycle that writes down what it is told, and keeps the state that a test gave it. */
@WorkflowInterface
public interface Lifecycles {
    @WorkflowMethod(name = WorkerLifecycleWorkflow.TYPE)
    void run(WorkerState worker);

    @SignalMethod
    void markExpired();

    @SignalMethod
    void taskStopped(String taskArn, String reason);

    @SignalMethod
    void seen(long epoch, String taskArn);

    @QueryMethod
    WorkerState state();

    @QueryMethod
    List<String> told();

    /** It never does anything. */
    final class Listening implements Lifecycles {
        private final List<String> told = new ArrayList<>();
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
        public void markExpired() {
            told.add("markExpired");
        }

        @Override
        public void taskStopped(String taskArn, String reason) {
            told.add("taskStopped " + taskArn);
        }

        @Override
        public void seen(long epoch, String taskArn) {
            told.add("seen " + epoch + " " + taskArn);
        }

        @Override
        public WorkerState state() {
            return worker;
        }

        @Override
        public List<String> told() {
            return List.copyOf(told);
        }
    }
}
