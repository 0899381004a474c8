package dev.berth.rest.order;

import dev.berth.activities.order.EventSearch.FoundEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step of an order, or a change of a user's worker.
 *
 * @param kind queued, processing, declined, retry, unknown, working, changing, completed, failed;
 *     or worker
 * @param clientOrderId absent for a worker, as symbol and attempts are
 * @param state the status of the order, or the state of the worker
 * @param attempts how often the order was handed to a worker
 * @param workerEpoch of the worker that had the venue's last answer, or of the worker
 */
record FleetEvent(
        Instant at,
        String userId,
        String kind,
        @Nullable String clientOrderId,
        @Nullable String symbol,
        String state,
        @Nullable String reason,
        @Nullable Integer attempts,
        @Nullable Long workerEpoch) {
    static FleetEvent of(FoundEvent event) {
        return new FleetEvent(
                event.position().at(),
                event.position().userId().value(),
                event.kind().label(),
                event.clientOrderId(),
                event.symbol(),
                event.state(),
                event.reason(),
                event.attempts(),
                event.epoch());
    }
}
