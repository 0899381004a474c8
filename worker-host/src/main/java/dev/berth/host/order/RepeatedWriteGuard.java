package dev.berth.host.order;

import io.temporal.activity.Activity;
import java.io.IOException;

/**
 * Rejects an activity that Temporal repeats by itself: an earlier attempt may have reached the
 * venue. The workflow wants one attempt, and asks the venue after it; a person who pauses the
 * activity and lets it go on makes another.
 */
final class RepeatedWriteGuard {
    private RepeatedWriteGuard() {}

    /** Fails the current activity, so that its outcome is unknown. First attempt: nothing. */
    static void require() {
        if (Activity.getExecutionContext().getInfo().getAttempt() > 1) {
            throw Activity.wrap(new IOException("an earlier attempt of this activity may have reached the venue"));
        }
    }
}
