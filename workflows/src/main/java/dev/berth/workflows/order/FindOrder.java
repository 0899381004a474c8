package dev.berth.workflows.order;

/**
 * A question about an order whose outcome is unknown.
 *
 * @param attempt the attempt in doubt; once asked, the same process never starts it
 */
public record FindOrder(OrderRequest request, int attempt) {}
