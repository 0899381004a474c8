package dev.berth.workflows.worker;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Where it is kept whether all workers are suspended. */
@ActivityInterface
public interface FleetSwitches {
    /** How it stands now; {@link FleetSwitch#UNTOUCHED} when it was never changed. */
    @ActivityMethod(name = "readFleetSwitch")
    FleetSwitch read();
}
