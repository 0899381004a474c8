package dev.berth.workflows.worker;

import dev.berth.workflows.TimedAwait;
import dev.berth.workflows.WorkflowTasks;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions.Func;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The waits of a step that serves the user. A stop, a suspension and the process's death cut each
 * of them short.
 */
final class Waits {
    private final Lifecycle lifecycle;

    Waits(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /**
     * Ends a step: the worker is not wanted any more, or its process is dead. What the step began
     * is undone.
     */
    static final class StepCanceled extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StepCanceled() {
            super("not wanted any more, or dead", null, false, false);
        }
    }

    boolean isCanceled() {
        return !lifecycle.state().mayServe() || lifecycle.health().death() != null;
    }

    /** Runs a step, or as much of it as is still called for. */
    static void untilCanceled(Runnable step) {
        try {
            step.run();
        } catch (StepCanceled stoppedOrDead) {
            // The next step of the lifecycle undoes what this one began.
        }
    }

    /** Pauses, but not beyond a request to start now, or new credentials. */
    void pause(Duration atMost, String summary) {
        boolean requested = lifecycle.requests().startRequestedWhileConnecting();
        TimedAwait.until(
                atMost,
                summary,
                () -> isCanceled() || (!requested && lifecycle.requests().startRequestedWhileConnecting()));
        if (isCanceled()) {
            throw new StepCanceled();
        }
    }

    /**
     * Calls an activity, and cancels the call when the wait is cut short.
     *
     * @throws ActivityFailure what the activity failed with
     */
    <T> T call(Func<T> activity) {
        if (isCanceled()) {
            throw new StepCanceled();
        }
        Promise<T> answer = callUntil(this::isCanceled, activity);
        boolean isCanceled = !answer.isCompleted();
        try {
            return answer.get();
        } catch (ActivityFailure | CanceledFailure failure) {
            if (isCanceled) {
                throw new StepCanceled();
            }
            throw failure;
        }
    }

    /**
     * Calls an activity until the condition holds: then cancels the call, unless the same workflow
     * task began it. The answer counts if it comes all the same.
     */
    static <T> Promise<T> callUntil(Supplier<Boolean> condition, Func<T> activity) {
        int begunIn = WorkflowTasks.current();
        List<Promise<T>> call = new ArrayList<>(1);
        CancellationScope scope = Workflow.newCancellationScope(() -> call.add(Async.function(activity)));
        scope.run();
        Promise<T> answer = call.getFirst();
        Workflow.await(() -> answer.isCompleted() || condition.get());
        if (!answer.isCompleted() && WorkflowTasks.isRecorded(begunIn)) {
            scope.cancel("not called for any more");
        }
        return answer;
    }
}
