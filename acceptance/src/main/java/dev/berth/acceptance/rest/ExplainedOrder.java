package dev.berth.acceptance.rest;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of an order.
 *
 * @param missing the servers that did not answer; what they know is absent
 * @param deadline the order is not sent to the venue after this time
 * @param worker the worker of the order's user
 * @param text the explanation as text
 */
public record ExplainedOrder(
        List<String> missing,
        @Nullable String status,
        @Nullable Instant deadline,
        @Nullable Long workerEpoch,
        @Nullable Outlook outlook,
        Worker worker,
        String text) {

    /** Where the order waits, and when the next action is due. */
    public record Outlook(String where, @Nullable Instant at) {}

    @Override
    public Outlook outlook() {
        return JsonRecords.required(outlook, "outlook");
    }
}
