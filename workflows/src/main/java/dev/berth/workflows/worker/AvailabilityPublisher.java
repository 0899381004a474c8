package dev.berth.workflows.worker;

import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.worker.WorkerState.Notice;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Publishes whether the user's orders can be served, whenever that changes. */
final class AvailabilityPublisher {
    private final AvailabilityNotices notices =
            Workflow.newLocalActivityStub(AvailabilityNotices.class, WorkerPolicies.quick());
    private final Lifecycle lifecycle;

    AvailabilityPublisher(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /** The start of a user's first worker does not wait for a notice without content. */
    @Nullable
    Instant dueAt(Instant now) {
        WorkerAvailability availability = current();
        Notice notice = notice();
        boolean isDue = notice == null
                ? lifecycle.status() instanceof WorkerStatus.Active || !availability.equals(WorkerAvailability.SERVED)
                : !availability.equals(notice.availability());
        // The end of a refusal changes it.
        return isDue ? now : lifecycle.sessions().nextRetryAt(now);
    }

    void publish() {
        WorkerAvailability now = current();
        notices.publish(lifecycle.userId(), now);
        lifecycle.update(state -> state.withNotice(new Notice(now, WorkflowTasks.now())));
    }

    /** An order asks for a worker that cannot serve it: Redis may have lost the notice. */
    void repeatNotice() {
        Notice notice = notice();
        if (notice != null
                && !current().equals(WorkerAvailability.SERVED)
                && WorkflowTasks.now().isAfter(notice.publishedAt().plus(WorkerPolicies.NOTICE_AGAIN))) {
            lifecycle.update(state -> state.withNotice(null));
        }
    }

    private @Nullable Notice notice() {
        return lifecycle.state().notice();
    }

    private WorkerAvailability current() {
        boolean waits = lifecycle.status() instanceof WorkerStatus.Failed
                || lifecycle.status() instanceof WorkerStatus.Suspended;
        Map<String, String> refusals = new TreeMap<>();
        lifecycle
                .sessions()
                .refusals(WorkflowTasks.now())
                .forEach((account, why) -> refusals.put(account.toString(), why));
        return new WorkerAvailability(waits, refusals);
    }
}
