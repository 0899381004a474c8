package dev.berth.workflows.order;

/** A cancel at the venue, under the venue id of {@code version}. */
public record CancelOrder(OrderRequest request, int version) {}
