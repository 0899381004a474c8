package dev.berth.workflows.worker;

import dev.berth.workflows.Changes;
import dev.berth.workflows.worker.WorkerStatus.HealthCheck;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether an active worker lives. Two proofs that it does not are needed: its mark is gone, and it does not answer. */
final class WorkerHealth {
    /** Names a change of this code in histories. */
    private static final String ENDS_THE_UNMARKED = "ends-the-unmarked";

    private static final String ASKS_THE_DEAD_ONCE = "asks-the-dead-once";

    private final WorkerTasks tasks = Workflow.newLocalActivityStub(WorkerTasks.class, WorkerPolicies.quick());
    private final Lifecycle at;
    private boolean doubted;
    /** Whether somebody says that its mark ran out, or is missing still. */
    private boolean markMissed;

    private boolean epochLost;
    /** When to look again though nobody doubts. */
    private @Nullable Instant lookAt;
    /** When it last answered. */
    private @Nullable Instant answeredAt;
    /** Since when it has not answered, though it keeps its mark. */
    private @Nullable Instant silentSince;
    /** Since when it has kept no mark, though it answers. */
    private @Nullable Instant unmarkedSince;

    WorkerHealth(Lifecycle at) {
        this.at = at;
    }

    /** Another process: what was known of the one before means nothing. */
    void begin() {
        lookAt = null;
        answeredAt = null;
        silentSince = null;
        unmarkedSince = null;
        markMissed = false;
    }

    /** Somebody waits for it. */
    void doubt() {
        doubted = true;
    }

    /** Its mark ran out; or it is missing still, as the sweep says, each minute to a few of the fleet. */
    void missMark() {
        doubted = true;
        markMissed = true;
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
        if (epochLost) {
            epochLost = false;
            at.restoreEpoch();
            return;
        }
        doubted = false;
        lookAt = null;
        WorkerMarks.Mark mark = at.mark();
        if (mark != WorkerMarks.Mark.GONE) {
            unmarkedSince = null;
            markMissed = false;
        }
        switch (mark) {
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
        at.goOn();
        if (answered) {
            // It lives without a mark: Redis lost its data. With the epoch back, the worker marks itself again.
            at.restoreEpoch();
            bearUnmarked();
        } else {
            at.suspectDeath(check.reason() + " and it did not answer");
        }
    }

    /**
     * One that still keeps no mark does not reach Redis: it may send nothing, and would decline every order for ever. It
     * is given up only when somebody says so once more. When a whole fleet does not reach Redis that is the sweep, with
     * its bound on how many may be stopped: its workers fence themselves, and most are well as soon as they reach it.
     */
    private void bearUnmarked() {
        boolean isSaid = markMissed;
        markMissed = false;
        if (!Changes.isMade(ENDS_THE_UNMARKED)) {
            return;
        }
        Instant now = Lifecycle.now();
        if (unmarkedSince == null) {
            unmarkedSince = now;
        }
        if (!isSaid || now.isBefore(unmarkedSince.plus(WorkerPolicies.UNMARKED))) {
            lookAt = now.plus(WorkerPolicies.LOOK_AGAIN);
        } else {
            at.suspectDeath("it answers, but kept no mark for " + WorkerPolicies.UNMARKED.toSeconds()
                    + " s: it does not reach Redis, and may send nothing");
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
        if (Changes.isMade(ASKS_THE_DEAD_ONCE) && at.mark() == WorkerMarks.Mark.GONE) {
            at.suspectDeath("it did not answer, and its mark ran out meanwhile");
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
