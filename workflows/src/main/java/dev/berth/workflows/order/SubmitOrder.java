package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One attempt to send an order to the venue.
 *
 * @param attempt 1 for the first; a process that was asked about an attempt never starts it
 *     afterwards
 * @param firstRunId the workflow's first run; another run (after a reset) finds before it sends
 * @param resolvedAbsent whether a person found that the venue does not have it, whatever an earlier
 *     attempt may have written
 */
public record SubmitOrder(
        OrderRequest request,
        int attempt,
        String firstRunId,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean resolvedAbsent) {
    /** After no person's word. */
    public SubmitOrder(OrderRequest request, int attempt, String firstRunId) {
        this(request, attempt, firstRunId, false);
    }
}
