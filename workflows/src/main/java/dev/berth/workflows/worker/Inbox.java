package dev.berth.workflows.worker;

import org.jspecify.annotations.Nullable;

/** What was said to a lifecycle and not dealt with yet. What a new run loses of it is said again. */
final class Inbox {
    private int signals;
    private boolean needed;
    private boolean insisted;
    private boolean insistedMeanwhile;
    private long idleEpoch;
    private WorkerState.@Nullable Unproven stranger;

    /** One more signal; so many, and the run has become long. */
    void count() {
        signals++;
    }

    boolean isFull() {
        return signals >= WorkerPolicies.SIGNALS_PER_RUN;
    }

    void need() {
        needed = true;
    }

    /** Somebody said so who may: what holds a start back is passed over. */
    void insist() {
        insisted = true;
    }

    /** The same while it connects: it counts if that comes to nothing, since it may have come too late for it. */
    void insistMeanwhile() {
        insistedMeanwhile = true;
    }

    boolean isInsistedMeanwhile() {
        return insistedMeanwhile;
    }

    /** What was said before is heard when it connects. */
    void connecting() {
        insistedMeanwhile = false;
    }

    /** Somebody needed the worker since the last start was given up. */
    boolean isNeeded() {
        return needed;
    }

    boolean isInsisted() {
        return insisted;
    }

    /** A start answers every need and every wish before it. */
    void started() {
        needed = false;
        insisted = false;
    }

    /** A worker lives of which this lifecycle knows nothing. */
    void meet(WorkerState.Unproven worker) {
        stranger = worker;
    }

    WorkerState.@Nullable Unproven stranger() {
        return stranger;
    }

    void dismissStranger() {
        stranger = null;
    }

    void idle(long epoch) {
        idleEpoch = epoch;
    }

    boolean saysIdle(long epoch) {
        return idleEpoch == epoch;
    }

    void idleSeen() {
        idleEpoch = 0;
    }
}
