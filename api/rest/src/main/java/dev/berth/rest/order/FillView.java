package dev.berth.rest.order;

import dev.berth.workflows.order.Execution;
import java.time.Instant;

/**
 * One execution of an order. Quantity and price are decimal strings.
 *
 * @param executionId the venue's id
 * @param orderVersion 0 for the order as it was submitted, n for its nth replacement
 * @param at by the venue's clock
 * @param busted whether the venue busted (cancelled) the execution
 */
public record FillView(
        String executionId, int orderVersion, String quantity, String price, Instant at, boolean busted) {
    /** As its user sees it. */
    public static FillView of(Execution execution) {
        return new FillView(
                execution.executionId(),
                execution.version(),
                execution.quantity().toString(),
                execution.price().toString(),
                execution.at(),
                execution.busted());
    }
}
