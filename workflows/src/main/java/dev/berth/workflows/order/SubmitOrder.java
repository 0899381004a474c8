package dev.berth.workflows.order;

/**
 * One attempt to send an order to the venue.
 *
 * @param attempt 1 for the first; a process that was asked about an attempt never starts it
 *     afterwards
 * @param firstRunId the workflow's first run; another run (after a reset) finds before it sends
 */
public record SubmitOrder(OrderRequest request, int attempt, String firstRunId) {}
