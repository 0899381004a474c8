package dev.berth.acceptance.chaos;

import com.google.errorprone.annotations.Immutable;
import java.io.IOException;

/** Injects a fault and reverts it. */
@FunctionalInterface
@Immutable
interface Injection {
    /**
     * Returns after the fault.
     *
     * @return the number of affected processes, messages or servers; 0 when no target was found
     * @throws IOException when a required server is down
     */
    int inject(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException;
}
