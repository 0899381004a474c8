package dev.berth.workflows.worker;

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

    DesiredState stopped(String why) {
        return new DesiredState(false, why, suspension, fleet);
    }

    DesiredState suspended(@Nullable String why) {
        return new DesiredState(running, reason, why, fleet);
    }

    /** A switch older than the known one changes nothing. */
    DesiredState in(FleetSwitch now) {
        return now.version() > fleet.version() ? new DesiredState(running, reason, suspension, now) : this;
    }
}
