package dev.berth.workflows.worker;

import dev.berth.workflows.worker.WorkerStatus.Active;
import dev.berth.workflows.worker.WorkerStatus.HealthCheck;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether an active worker lives. Two proofs that it does not are needed: its mark is gone, and it does not answer. */
final class WorkerHealth {
    private final WorkerTasks tasks = Workflow.newLocalActivityStub(WorkerTasks.class, WorkerPolicies.quick());
    private final Lifecycle at;
    private boolean doubted;
    private boolean epochLost;
    /** When to look again though nobody doubts. */
    private @Nullable Instant lookAt;
    /** When it last answered. */
    private @Nullable Instant answeredAt;
    /** Since when it has not answered, though it keeps its mark. */
    private @Nullable Instant silentSince;

    WorkerHealth(Lifecycle at) {
        this.at = at;
    }

    /** Another process: what was known of the one before means nothing. */
    void begin() {
        lookAt = null;
        answeredAt = null;
        silentSince = null;
    }

    /** Somebody waits for it, or its mark ran out. */
    void doubt() {
        doubted = true;
    }

    /** It lives, but Redis lost its epoch. */
    void restoreEpoch() {
        epochLost = true;
    }

    boolean isDue() {
        return doubted || epochLost || (lookAt != null && !Lifecycle.now().isBefore(lookAt));
    }

    /** Null when nothing is due unless somebody doubts. */
    @Nullable
    Instant dueAt() {
        return lookAt;
    }

    void look() {
        doubted = false;
        lookAt = null;
        if (epochLost) {
            epochLost = false;
            at.restoreEpoch();
            return;
        }
        switch (at.mark()) {
            case GONE -> check("its mark ran out");
            case KEPT -> pingNowAndThen();
            case UNSURE -> askEcs();
        }
    }

    private void check(String reason) {
        Instant now = Lifecycle.now();
        at.become(new HealthCheck(now, now.plus(WorkerPolicies.PING), at.live(), reason));
    }

    /** The second proof. */
    void ask(HealthCheck check) {
        boolean answered = answers();
        at.become(new Active(Lifecycle.now(), check.worker()));
        if (answered) {
            // It lives without a mark: Redis lost its data. With the epoch back, the worker marks itself again.
            at.restoreEpoch();
        } else {
            at.suspectDeath(check.reason() + " and it did not answer");
        }
    }

    /** A mark is kept by a thread of its own; the rest of the process may hang. */
    private void pingNowAndThen() {
        Instant now = Lifecycle.now();
        Instant lastHeard = answeredAt == null ? at.worker().status().since() : answeredAt;
        if (silentSince == null && now.isBefore(lastHeard.plus(WorkerPolicies.PING_AGAIN))) {
            return;
        }
        if (answers()) {
            return;
        }
        if (silentSince == null) {
            silentSince = now;
        }
        if (now.isBefore(silentSince.plus(WorkerPolicies.HUNG))) {
            lookAt = Lifecycle.now().plus(WorkerPolicies.LOOK_AGAIN);
        } else {
            silentSince = null;
            at.suspectDeath("it kept its mark, but answered nothing for " + WorkerPolicies.HUNG.toSeconds() + " s");
        }
    }

    /** Redis was away: nobody is replaced on its word. */
    private void askEcs() {
        String taskArn = at.live().process().taskArn();
        if (tasks.isStopped(taskArn)) {
            at.stopped(taskArn, "ECS says that it stopped");
        } else {
            lookAt = Lifecycle.now().plus(WorkerPolicies.MARKS_SETTLE);
        }
    }

    private boolean answers() {
        try {
            Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.ping(at.userId()))
                    .ping(at.worker().epoch());
        } catch (ActivityFailure silent) {
            return false;
        }
        answeredAt = Lifecycle.now();
        silentSince = null;
        return true;
    }
}
