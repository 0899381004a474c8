package dev.berth.rest.fleet;

import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.PostgresFleetSwitches.SwitchChange;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.process.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.stereotype.Component;

/**
 * Signals users' suspensions that were stored and not signalled, since the process that stored them
 * ended or Temporal was unavailable; and the last suspension of all, or its end, once more:
 * visibility may not have listed a lifecycle that started at that time.
 */
@Component
class SuspensionRepeater extends PeriodicTask {
    /** By then visibility lists every lifecycle that started before, and a call has signalled. */
    static final Duration DELAY = Duration.ofSeconds(10);

    private static final Duration EVERY = Duration.ofSeconds(10);

    private final PostgresFleetSwitches switches;
    private final FleetSuspension all;
    private final SuspensionSignals users;
    private final InstantSource clock;
    private long repeated;

    SuspensionRepeater(
            PostgresFleetSwitches switches, FleetSuspension all, SuspensionSignals users, InstantSource clock) {
        super("suspension-repeat", EVERY);
        this.switches = switches;
        this.all = all;
        this.users = users;
        this.clock = clock;
    }

    @Override
    protected void round() {
        Instant latest = clock.instant().minus(DELAY);
        switches.last()
                .filter(change -> change.at().isBefore(latest))
                .map(SwitchChange::now)
                .filter(last -> last.version() > repeated)
                .ifPresent(last -> {
                    all.repeat(last);
                    repeated = last.version();
                });
        users.repeatUnsignalled(DELAY);
    }
}
