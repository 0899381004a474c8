package dev.berth.rest.risk;

import dev.berth.process.PeriodicTask;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Compares the copy of switches, limits and suspensions in Redis with PostgreSQL, in every replica,
 * so that one may die.
 */
@Component
class RiskCopySync extends PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(RiskCopySync.class);
    /**
     * A change takes effect within a second, even if its process died. A forged copy lasts no
     * longer.
     */
    private static final Duration EVERY = Duration.ofMillis(800);

    private final RiskCopy copy;

    RiskCopySync(RiskCopy copy) {
        super("risk-copy-sync", EVERY);
        this.copy = copy;
    }

    @Override
    protected void round() {
        RiskCopy.State found = copy.heal();
        if (found != RiskCopy.State.CURRENT) {
            LOG.info("kill switches, limits and suspensions were copied to Redis, the copy was {}", found);
        }
    }
}
