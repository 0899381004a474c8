package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;

/** A user's epochs, each higher than every one before, whoever gave that out. */
final class Epochs {
    private final WorkerMarks marks;
    private final UserId userId;

    Epochs(WorkerMarks marks, UserId userId) {
        this.marks = marks;
        this.userId = userId;
    }

    /**
     * Raises the stored epoch. The first time, the stored one may be that of an earlier lifecycle: an equal one is
     * taken, too.
     *
     * @param known the last that this lifecycle gave out; 0 when none
     */
    long after(long known) {
        long next = (known == 0 ? marks.raiseEpoch(userId, 0) : known) + 1;
        for (long stored = marks.raiseEpoch(userId, next); stored > next; ) {
            next = stored + 1;
            stored = marks.raiseEpoch(userId, next);
        }
        return next;
    }
}
