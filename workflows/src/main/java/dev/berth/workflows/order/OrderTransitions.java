package dev.berth.workflows.order;

/**
 * Which status may follow which, after FIX's OrdStatus. A report that contradicts it is an old one.
 */
final class OrderTransitions {
    private OrderTransitions() {}

    static boolean allowed(OrderStatus from, OrderStatus to) {
        return switch (from) {
            // PENDING again: the worker declined, or it surely was not sent.
            case PENDING, DISPATCHED, UNKNOWN -> to != OrderStatus.DISPATCHED || from == OrderStatus.PENDING;
            // Once the venue has it, it is never sent again and cannot fail on the way.
            case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE -> to.isAtVenue();
            // But for a person's requeue of a failed order, which begins with a question to the
            // venue.
            case FILLED, CANCELED, REJECTED, EXPIRED, FAILED -> false;
        };
    }
}
