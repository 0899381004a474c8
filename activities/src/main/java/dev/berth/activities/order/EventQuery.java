package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A page of events, newest first; null stands for any.
 *
 * @param text part of the reason, the venue's status or the venue's order id, in any case
 * @param from then or later
 * @param to earlier than that
 * @param limit of events, at least 1
 * @param after the last event of the page before; null for the first page
 */
public record EventQuery(
        @Nullable UserId userId,
        @Nullable ClientOrderId clientOrderId,
        @Nullable String symbol,
        @Nullable EventKind kind,
        @Nullable String text,
        @Nullable Instant from,
        @Nullable Instant to,
        int limit,
        @Nullable Position after) {

    /**
     * A place among events, newest first.
     *
     * @param position the event's position in its user's stream
     */
    public record Position(Instant at, UserId userId, long position) {}

    /** Whether steps of orders are asked for. */
    boolean hasOrders() {
        return kind != EventKind.WORKER;
    }

    /** Whether changes of workers are asked for. */
    boolean hasWorkers() {
        return (kind == null || kind == EventKind.WORKER) && clientOrderId == null && symbol == null;
    }
}
