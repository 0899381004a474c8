package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;

/**
 * A replacement at the venue.
 *
 * @param current the version that is to be replaced
 * @param next the version that takes its place; a number is never used twice
 * @param wanted of the whole order
 * @param filledBefore of the versions before {@code current}; what that one has filled the worker
 *     asks for itself
 */
public record ReplaceOrder(OrderRequest request, int current, int next, OrderTerms wanted, Decimal filledBefore) {}
