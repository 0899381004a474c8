package dev.berth.workflows.worker;

import dev.berth.workflows.PlainText;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a user's worker, whatever there is of it.
 *
 * @param running whether an order or a person needs it
 * @param reason why it was last stopped
 * @param suspension why this user's worker is suspended; absent when it is not
 * @param fleet whether all are
 * @param stoppedEpoch the epoch at the last stop: its worker ends, though an order may need one
 *     right after the stop, since the send gate of that epoch is closed; 0 before the first stop
 */
@RecordBuilder
public record DesiredState(
        boolean running, @Nullable String reason, @Nullable String suspension, FleetSwitch fleet, long stoppedEpoch)
        implements DesiredStateBuilder.With {
    private static final String NO_REASON = "none given";
    private static final int MAX_REASON = 1_000;

    static final DesiredState NOTHING = new DesiredState(false, null, null, FleetSwitch.UNTOUCHED, 0);

    /** Why no worker may run, or null. */
    public @Nullable String suspended() {
        if (suspension != null) {
            return suspension;
        }
        return fleet.suspended() ? "All workers are suspended: " + given(fleet.reason()) : null;
    }

    DesiredState needed() {
        return withRunning(true).withReason(null);
    }

    DesiredState stopped(@Nullable Object why) {
        return stopped(why, stoppedEpoch);
    }

    /** A person stopped the worker of this epoch. */
    DesiredState stopped(@Nullable Object why, long epoch) {
        return withRunning(false).withReason(given(why)).withStoppedEpoch(epoch);
    }

    DesiredState suspended(@Nullable Object why) {
        return withSuspension(given(why));
    }

    DesiredState resumed() {
        return withSuspension(null);
    }

    /** A person may type a signal without its input, with another one, or with line breaks. */
    private static String given(@Nullable Object why) {
        return why instanceof String text && !text.isBlank() ? PlainText.line(text, MAX_REASON) : NO_REASON;
    }

    /** A switch older than the known one changes nothing. */
    DesiredState in(FleetSwitch now) {
        return now.version() > fleet.version() ? withFleet(now) : this;
    }
}
