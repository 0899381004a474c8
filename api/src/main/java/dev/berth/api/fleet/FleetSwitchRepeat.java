package dev.berth.api.fleet;

import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.PostgresFleetSwitches.Change;
import dev.berth.api.Periodic;
import dev.berth.api.Roles;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Tells all lifecycles the last switch once more: one that began as it was thrown was not in Temporal's index yet, and
 * the process that threw it may have ended before it told any.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class FleetSwitchRepeat extends Periodic {
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** Whoever began before the switch is in the index by then. */
    private static final Duration INDEXED = Duration.ofSeconds(10);

    private final PostgresFleetSwitches switches;
    private final FleetSwitching switching;
    private final InstantSource clock;
    private long repeated;

    FleetSwitchRepeat(PostgresFleetSwitches switches, FleetSwitching switching, InstantSource clock) {
        super("fleet-switch-repeat", EVERY);
        this.switches = switches;
        this.switching = switching;
        this.clock = clock;
    }

    @Override
    protected void round() {
        Instant old = clock.instant().minus(INDEXED);
        switches.last()
                .filter(change -> change.at().isBefore(old))
                .map(Change::now)
                .filter(last -> last.version() > repeated)
                .ifPresent(last -> {
                    switching.repeat(last);
                    repeated = last.version();
                });
    }
}
