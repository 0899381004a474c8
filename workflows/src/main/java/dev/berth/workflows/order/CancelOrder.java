package dev.berth.workflows.order;

/** A cancel at the venue, under the venue id of {@code leg}. */
public record CancelOrder(OrderRequest request, int leg) {}
