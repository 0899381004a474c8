package dev.berth.host.worker;

import dev.berth.host.order.OrderActivitiesFactory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether this worker may stop for want of orders. */
final class Idleness {
    private static final Logger LOG = LoggerFactory.getLogger(Idleness.class);

    private final OrderActivitiesFactory activities;
    private final Duration idleTime;

    Idleness(OrderActivitiesFactory activities, Duration idleTime) {
        this.activities = activities;
        this.idleTime = idleTime;
    }

    /** No current order, and none within the idle time. */
    boolean isQuiet() {
        return activities.attempts().isIdleFor(idleTime);
    }

    /** When the worker becomes idle if no order arrives; empty while an order is current. */
    Optional<Instant> dueAt() {
        return activities.attempts().current().isPresent()
                ? Optional.empty()
                : Optional.of(activities.attempts().idleSince().plus(idleTime));
    }

    /** Quiet, and no order works at a venue; a venue that does not answer in time may have one. */
    boolean isIdle(Duration timeout) throws InterruptedException {
        if (!isQuiet()) {
            return false;
        }
        try {
            return !activities.sessions().anyWorkingOrders(timeout) && isQuiet();
        } catch (IOException noAnswer) {
            LOG.warn("working orders at the venue are unknown: {}", noAnswer.getMessage());
            return false;
        }
    }
}
