package dev.berth.workflows.maintenance;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The activities of an upgrade. */
@ActivityInterface
public interface FleetUpgrade {
    /** Reads the tasks of all workers. */
    @ActivityMethod(name = "planUpgrade")
    UpgradePlan plan();

    /**
     * Has some users' workers handed over, chosen at random, so that one that cannot be handed over
     * holds up no other; and retires one idle pool worker. May be repeated: a worker that was asked
     * already continues. Until a worker of the target has proven that it starts, one user alone
     * is asked, whose successor is that proof.
     *
     * @return the plan before
     */
    @ActivityMethod(name = "handOverWorkers")
    UpgradePlan handOver(int users, UpgradeRequest request);
}
