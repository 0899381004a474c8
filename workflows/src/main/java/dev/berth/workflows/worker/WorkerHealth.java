package dev.berth.workflows.worker;

import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.worker.WorkerHeartbeats.HeartbeatKeyState;
import dev.berth.workflows.worker.WorkerStatus.HealthCheck;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether an active worker lives. Two proofs that it does not are needed: its heartbeat key is
 * absent, and it does not answer.
 */
final class WorkerHealth {
    private final Lifecycle lifecycle;
    private final WorkerEpoch epoch;
    private final TaskStopper stopper;
    private final Waits waits;

    WorkerHealth(Lifecycle lifecycle, WorkerEpoch epoch, TaskStopper stopper, Waits waits) {
        this.lifecycle = lifecycle;
        this.epoch = epoch;
        this.stopper = stopper;
        this.waits = waits;
    }

    @Nullable
    Instant dueAt(Instant now) {
        HealthRecord health = lifecycle.health();
        return health.doubted() || health.epochLost() ? now : health.checkAt();
    }

    void check() {
        if (lifecycle.health().epochLost()) {
            lifecycle.updateHealth(health -> health.withEpochLost(false));
            epoch.restore();
            return;
        }
        lifecycle.updateHealth(HealthRecord::checking);
        HeartbeatKeyState key = epoch.heartbeatKey();
        if (key != HeartbeatKeyState.ABSENT) {
            lifecycle.updateHealth(HealthRecord::withHeartbeat);
        }
        switch (key) {
            case ABSENT -> {
                Instant now = WorkflowTasks.now();
                lifecycle.become(new HealthCheck(
                        now, now.plus(WorkerPolicies.PING), lifecycle.live(), "its heartbeat key expired"));
            }
            case PRESENT -> pingNowAndThen();
            case UNKNOWN -> askEcs();
        }
    }

    /** The second proof. */
    void ask() {
        boolean answered = answers();
        String reason = String.valueOf(lifecycle.status().reason());
        lifecycle.resumeActive();
        if (answered) {
            // Redis lost its data. With the epoch back, the worker renews its heartbeat key again.
            epoch.restore();
            handleMissingHeartbeat();
        } else {
            lifecycle.suspectDeath(reason + " and it did not answer");
        }
    }

    /**
     * A worker that answers without a heartbeat key does not reach Redis: it may send nothing, and
     * would decline every order for ever. It is given up only after one more report. When a whole
     * fleet does not reach Redis that report comes from the sweep, with its bound on stops: the
     * workers fence themselves, and most are well once they reach Redis.
     */
    private void handleMissingHeartbeat() {
        boolean isReported = lifecycle.health().heartbeatMissed();
        Instant now = WorkflowTasks.now();
        lifecycle.updateHealth(health -> health.withoutHeartbeatSince(now));
        Instant since = lifecycle.health().noHeartbeatSince();
        if (!isReported || since == null || now.isBefore(since.plus(WorkerPolicies.HEARTBEAT_MISSING))) {
            lifecycle.updateHealth(health -> health.withCheckAt(now.plus(WorkerPolicies.CHECK_AGAIN)));
        } else {
            lifecycle.suspectDeath(
                    "it answers, but had no heartbeat key for " + WorkerPolicies.HEARTBEAT_MISSING.toSeconds()
                            + " s: it does not reach Redis, and may send nothing");
        }
    }

    /** A thread of its own renews the heartbeat key; the rest of the process may hang. */
    private void pingNowAndThen() {
        Instant now = WorkflowTasks.now();
        HealthRecord before = lifecycle.health();
        Instant answeredAt = before.answeredAt();
        Instant lastHeard = answeredAt == null ? lifecycle.status().since() : answeredAt;
        if (before.silentSince() == null && now.isBefore(lastHeard.plus(WorkerPolicies.PING_AGAIN))) {
            return;
        }
        if (answers()) {
            return;
        }
        if (epoch.heartbeatKey() == HeartbeatKeyState.ABSENT) {
            lifecycle.suspectDeath("it did not answer, and its heartbeat key expired meanwhile");
            return;
        }
        Instant silentSince = before.silentSince() == null ? now : before.silentSince();
        if (now.isBefore(silentSince.plus(WorkerPolicies.HUNG))) {
            Instant again = WorkflowTasks.now().plus(WorkerPolicies.CHECK_AGAIN);
            lifecycle.updateHealth(health -> health.withSilentSince(silentSince).withCheckAt(again));
        } else {
            lifecycle.updateHealth(health -> health.withSilentSince(null));
            lifecycle.suspectDeath("its heartbeat key was present, but it answered nothing for "
                    + WorkerPolicies.HUNG.toSeconds() + " s");
        }
    }

    /** Redis was unavailable: what it reports replaces no worker. */
    private void askEcs() {
        String taskArn = lifecycle.live().process().taskArn();
        if (stopper.confirmStop(taskArn, "ECS says that it stopped") == TaskDeath.ALIVE) {
            Instant settled = WorkflowTasks.now().plus(WorkerPolicies.HEARTBEATS_RETURN);
            lifecycle.updateHealth(health -> health.withCheckAt(settled));
        }
    }

    private boolean answers() {
        WorkerControl control = Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.ping(lifecycle.userId()));
        long asked = lifecycle.state().epoch();
        try {
            waits.call(() -> {
                control.ping(asked);
                return true;
            });
        } catch (ActivityFailure silent) {
            return false;
        }
        lifecycle.updateHealth(health -> health.answered(WorkflowTasks.now()));
        return true;
    }
}
