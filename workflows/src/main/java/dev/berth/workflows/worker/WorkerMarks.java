package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What Redis knows of a user's worker. */
@ActivityInterface
public interface WorkerMarks {
    /** What the mark says. */
    enum Mark {
        /** A live worker keeps it. */
        KEPT,
        GONE,
        /** Gone, but Redis itself was away within the last 60 s: that proves nothing. */
        UNSURE
    }

    /**
     * Raises the user's epoch, which only ever rises.
     *
     * @return {@code atLeast}, or the stored epoch when that is higher already
     */
    @ActivityMethod(name = "raiseEpoch")
    long raiseEpoch(UserId userId, long atLeast);

    /** Whether a live worker keeps the user's mark. */
    @ActivityMethod(name = "lookAtMark")
    Mark look(UserId userId);

    /** Removes what a dead worker of this epoch left. Nothing there, or a newer one's: nothing happens. */
    @ActivityMethod(name = "clearMark")
    void clear(UserId userId, long epoch);
}
