package dev.berth.workflows.order;

import dev.berth.workflows.ExponentialBackoff;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often something was tried in vain, and since when. Pauses double, and after minutes grow with
 * the time that this lasts: that may be days, such as while a user is suspended, and a workflow's
 * history must stay small.
 */
public record Backoff(int tries, Instant since) {
    /** Once that is longer, a pause is this part of the time since the first try. */
    private static final int PART = 20;

    static Backoff next(@Nullable Backoff last, Instant now) {
        return last == null ? new Backoff(0, now) : new Backoff(last.tries + 1, last.since);
    }

    Duration pause(Duration first, Instant now) {
        Duration doubled = ExponentialBackoff.pause(first, OrderPolicies.LONGEST_RETRY, tries + 1);
        Duration part = Duration.between(since, now).dividedBy(PART);
        Duration longer = part.compareTo(doubled) > 0 ? part : doubled;
        return longer.compareTo(OrderPolicies.LONGEST_CHECK) < 0 ? longer : OrderPolicies.LONGEST_CHECK;
    }

    /** Whether this has lasted for so long that a person should know. */
    boolean isLong(Instant now) {
        return !now.isBefore(since.plus(OrderPolicies.CALL_AFTER));
    }
}
