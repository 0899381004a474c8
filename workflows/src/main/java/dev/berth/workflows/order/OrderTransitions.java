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
            case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE -> isAtVenue(to);
            // But for a person's requeue of a failed order, which begins with a question to the
            // venue.
            case FILLED, CANCELED, REJECTED, EXPIRED, FAILED -> false;
        };
    }

    /** Once the venue has it, it is never sent again and cannot fail on the way. */
    private static boolean isAtVenue(OrderStatus to) {
        return switch (to) {
            case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE, FILLED, CANCELED, REJECTED, EXPIRED -> true;
            case PENDING, DISPATCHED, UNKNOWN, FAILED -> false;
        };
    }
}
