package dev.berth.host.worker;

import dev.berth.host.order.OrderDesk;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether anybody would miss this worker. */
final class Idleness {
    private static final Logger LOG = LoggerFactory.getLogger(Idleness.class);

    private final OrderDesk desk;
    private final Duration after;

    Idleness(OrderDesk desk, Duration after) {
        this.desk = desk;
        this.after = after;
    }

    /** No order in hand, and none within the idle time. */
    boolean isQuiet() {
        return desk.attempts().isIdleFor(after);
    }

    /** When it stops for want of orders, if none comes and none works at a venue; empty while one is in hand. */
    Optional<Instant> dueAt() {
        return desk.attempts().current().isPresent()
                ? Optional.empty()
                : Optional.of(desk.attempts().quietSince().plus(after));
    }

    /** Quiet, and no order works at a venue; a venue that does not say so in time may have one. */
    boolean isIdle(Duration patience) throws InterruptedException {
        if (!isQuiet()) {
            return false;
        }
        try {
            return !desk.sessions().anyWorkingOrders(patience) && isQuiet();
        } catch (IOException unknown) {
            LOG.warn("nobody knows whether an order works at the venue: {}", unknown.getMessage());
            return false;
        }
    }
}
