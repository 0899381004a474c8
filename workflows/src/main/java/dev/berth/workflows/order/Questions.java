package dev.berth.workflows.order;

import dev.berth.workflows.Pauses;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Pauses between questions to which nobody knows the answer. They double, and after minutes grow with the time that this
 * lasts: it may be days, such as while its user is suspended, and a workflow's history must stay small.
 */
final class Questions {
    /** Once that is longer, a pause is this part of the time since the last answer. */
    private static final int PART = 20;

    private final Pauses pauses = new Pauses(OrderPolicies.FIRST_ASK, OrderPolicies.SLOWEST_ASK);
    private @Nullable Instant unansweredSince;

    Duration next() {
        Instant now = OrderProgress.now();
        if (unansweredSince == null) {
            unansweredSince = now;
        }
        Duration pause = pauses.next();
        Duration part = Duration.between(unansweredSince, now).dividedBy(PART);
        if (part.compareTo(pause) <= 0) {
            return pause;
        }
        return part.compareTo(OrderPolicies.SLOWEST_CHECK) < 0 ? part : OrderPolicies.SLOWEST_CHECK;
    }

    /** Whether this has lasted for so long that a person should know. */
    boolean isLong() {
        return unansweredSince != null && !OrderProgress.now().isBefore(unansweredSince.plus(OrderPolicies.CALL_AFTER));
    }

    void answered() {
        unansweredSince = null;
        pauses.reset();
    }
}
