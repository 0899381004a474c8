package dev.berth.workflows.worker;

import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a user's worker, whatever there is of it.
 *
 * @param running whether somebody needs it
 * @param reason why it was last stopped
 * @param suspension why this user's worker is suspended; absent when it is not
 * @param fleet whether all are
 */
public record Desired(
        boolean running, @Nullable String reason, @Nullable String suspension, FleetSwitch fleet) {
    static final Desired NOTHING = new Desired(false, null, null, FleetSwitch.UNTOUCHED);

    /** Why no worker may run, or null. */
    public @Nullable String suspended() {
        if (suspension != null) {
            return suspension;
        }
        return fleet.suspended() ? "All workers are suspended: " + fleet.reason() : null;
    }

    Desired needed() {
        return new Desired(true, null, suspension, fleet);
    }

    Desired stopped(String why) {
        return new Desired(false, why, suspension, fleet);
    }

    Desired suspended(@Nullable String why) {
        return new Desired(running, reason, why, fleet);
    }

    /** An older word about the fleet than the one that is known changes nothing. */
    Desired in(FleetSwitch now) {
        return now.version() > fleet.version() ? new Desired(running, reason, suspension, now) : this;
    }
}
