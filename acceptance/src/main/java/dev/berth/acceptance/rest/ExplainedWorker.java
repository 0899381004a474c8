package dev.berth.acceptance.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a user's worker.
 *
 * @param orders the open orders
 * @param lastOrder the last order that a worker took
 * @param text the explanation as text
 */
public record ExplainedWorker(
        Worker worker,
        String lastDecision,
        List<OpenOrder> orders,
        @Nullable LastOrder lastOrder,
        String text) {

    /** An order that is not final. */
    public record OpenOrder(String clientOrderId, String status) {}

    /**
     * An order that a worker took.
     *
     * @param workerEpoch of the worker that had the venue's last answer; absent before an answer
     */
    public record LastOrder(String clientOrderId, @Nullable Long workerEpoch) {}
}
