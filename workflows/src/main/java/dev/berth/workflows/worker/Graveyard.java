package dev.berth.workflows.worker;

import dev.berth.workflows.Waiting;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;

/** Stops tasks, and remembers those that nothing proves to be dead: they may still send what they had in hand. */
final class Graveyard {
    private final WorkerTasks tasks = Workflow.newActivityStub(WorkerTasks.class, WorkerPolicies.stop());
    private final Lifecycle at;

    Graveyard(Lifecycle at) {
        this.at = at;
    }

    /** Goes on with what the run before did not bring to an end. */
    void reopen() {
        for (WorkerState.Unproven worker : at.worker().unproven()) {
            untilProven(worker.taskArn(), "replaced");
        }
    }

    /**
     * Stops the task and waits until ECS says {@code STOPPED}, but no longer than its lease can last. Then it is fenced,
     * and remembered until the proof comes.
     */
    void stop(long epoch, String taskArn, String why) {
        if (at.hasStopped(taskArn)) {
            return;
        }
        Promise<Void> proof = untilProven(taskArn, why);
        if (!Waiting.until(
                WorkerPolicies.LEASE_OVER,
                "then its lease has surely run out",
                () -> proof.isCompleted() || at.hasStopped(taskArn))) {
            at.put(at.worker().doubting(new WorkerState.Unproven(epoch, taskArn)));
        }
    }

    private Promise<Void> untilProven(String taskArn, String why) {
        return Async.procedure(() -> {
            tasks.stop(taskArn, why);
            at.put(at.worker().proven(taskArn));
        });
    }
}
