package dev.berth.api.risk;

import dev.berth.activities.risk.RiskCopy;
import dev.berth.api.Periodic;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Looks whether Redis has the current switches and limits; in every replica, so that one that died is made up for. */
@Component
class RiskCopying extends Periodic {
    private static final Logger LOG = LoggerFactory.getLogger(RiskCopying.class);
    /** A change takes effect within a second, though its process died before the copy. */
    private static final Duration EVERY = Duration.ofMillis(800);

    private final RiskCopy copy;

    RiskCopying(RiskCopy copy) {
        super("risk-copying", EVERY);
        this.copy = copy;
    }

    @Override
    protected void round() {
        if (copy.heal()) {
            LOG.info("kill switches and limits were loaded into Redis");
        }
    }
}
