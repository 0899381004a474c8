package dev.berth.activities.worker;

import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.risk.SuspensionStore.Suspension;
import dev.berth.workflows.worker.FleetSwitch;
import dev.berth.workflows.worker.FleetSwitches;
import java.time.Instant;
import java.util.Optional;

/** The suspension of all users as the fleet's switch. */
public final class PostgresFleetSwitches implements FleetSwitches {
    private final SuspensionStore suspensions;

    public PostgresFleetSwitches(SuspensionStore suspensions) {
        this.suspensions = suspensions;
    }

    @Override
    public FleetSwitch read() {
        return last().map(SwitchChange::now).orElse(FleetSwitch.UNTOUCHED);
    }

    /**
     * The last change.
     *
     * @param by the operator
     */
    public record SwitchChange(FleetSwitch now, String by, Instant at) {
        public static SwitchChange of(Suspension change) {
            FleetSwitch now = new FleetSwitch(change.version(), change.suspended(), change.reason());
            return new SwitchChange(now, change.by(), change.at());
        }
    }

    /** Empty when the switch was never changed. */
    public Optional<SwitchChange> last() {
        return suspensions.newest(null).map(SwitchChange::of);
    }
}
