package dev.berth.rest.order;

import dev.berth.activities.order.EventSearch.FoundEvent;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of events, newest first.
 *
 * @param nextCursor of the next page; absent on the last one
 */
record FleetEventPage(List<FleetEvent> events, @Nullable String nextCursor) {
    /**
     * A step of an order, or a change of a user's worker.
     *
     * @param kind queued, processing, declined, retry, unknown, working, changing, completed,
     *     failed; or worker
     * @param clientOrderId absent for a worker, as symbol and attempts are
     * @param state the status of the order, or the state of the worker
     * @param attempts how often the order was handed to a worker
     * @param workerEpoch of the worker that had the venue's last answer, or of the worker
     */
    @Schema(name = "FleetEvent")
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

    static FleetEventPage of(List<FoundEvent> events, int limit) {
        return new FleetEventPage(
                events.stream().map(FleetEvent::of).toList(),
                events.size() < limit ? null : Cursor.of(events.getLast().position()));
    }
}
