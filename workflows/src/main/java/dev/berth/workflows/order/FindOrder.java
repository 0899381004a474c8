package dev.berth.workflows.order;

/**
 * A question about an order whose outcome is unknown.
 *
 * @param version under which of its venue ids
 * @param attempt the attempt in doubt; once asked, the same process never starts it. A version that
 *     is a replacement has no attempts of its own
 */
public record FindOrder(OrderRequest request, int version, int attempt) {}
