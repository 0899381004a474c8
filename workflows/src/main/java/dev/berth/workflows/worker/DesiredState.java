package dev.berth.workflows.worker;

import dev.berth.workflows.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a user's worker, whatever there is of it.
 *
 * @param running whether an order or a person needs it
 * @param reason why it was last stopped
 * @param suspension why this user's worker is suspended; absent when it is not
 * @param fleet whether all are
 */
public record DesiredState(
        boolean running, @Nullable String reason, @Nullable String suspension, FleetSwitch fleet) {
    private static final String NO_REASON = "none given";

    static final DesiredState NOTHING = new DesiredState(false, null, null, FleetSwitch.UNTOUCHED);

    /** Why no worker may run, or null. */
    public @Nullable String suspended() {
        if (suspension != null) {
            return suspension;
        }
        return fleet.suspended() ? "All workers are suspended: " + fleet.reason() : null;
    }

    DesiredState needed() {
        return new DesiredState(true, null, suspension, fleet);
    }

    DesiredState stopped(@Nullable String why) {
        return new DesiredState(false, given(why), suspension, fleet);
    }

    DesiredState suspended(@Nullable String why) {
        return new DesiredState(running, reason, given(why), fleet);
    }

    DesiredState resumed() {
        return new DesiredState(running, reason, null, fleet);
    }

    /** A person may type a signal without its input, or with line breaks. */
    private static String given(@Nullable String why) {
        return why == null || why.isBlank() ? NO_REASON : PlainText.line(why);
    }

    /** A switch older than the known one changes nothing. */
    DesiredState in(FleetSwitch now) {
        return now.version() > fleet.version() ? new DesiredState(running, reason, suspension, now) : this;
    }
}
