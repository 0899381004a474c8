package dev.berth.api.fleet;

import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.PostgresFleetSwitches.SwitchChange;
import dev.berth.api.PeriodicTask;
import dev.berth.api.Roles;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Signals the last switch to all lifecycles once more: visibility may not have listed a lifecycle
 * that started at the time of the switch, and the process that made the switch may have ended
 * before the signal.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class FleetSwitchRepeater extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** By then visibility lists every lifecycle that started before the switch. */
    private static final Duration VISIBILITY_DELAY = Duration.ofSeconds(10);

    private final PostgresFleetSwitches switches;
    private final FleetSuspension suspension;
    private final InstantSource clock;
    private long repeated;

    FleetSwitchRepeater(PostgresFleetSwitches switches, FleetSuspension suspension, InstantSource clock) {
        super("fleet-switch-repeat", EVERY);
        this.switches = switches;
        this.suspension = suspension;
        this.clock = clock;
    }

    @Override
    protected void round() {
        Instant latest = clock.instant().minus(VISIBILITY_DELAY);
        switches.last()
                .filter(change -> change.at().isBefore(latest))
                .map(SwitchChange::now)
                .filter(last -> last.version() > repeated)
                .ifPresent(last -> {
                    suspension.repeat(last);
                    repeated = last.version();
                });
    }
}
