package dev.berth.workflows.order;

/** FIX OrdStatus, with the states that come before a venue has answered. */
public enum OrderStatus {
    /** Accepted and durable; no worker has taken it yet. */
    PENDING,
    /** A worker has it in hand; the venue has not answered. */
    DISPATCHED,
    /** It may or may not be at the venue; only asking the venue leads out. */
    UNKNOWN,
    NEW,
    PARTIALLY_FILLED,
    PENDING_CANCEL,
    PENDING_REPLACE,
    FILLED,
    CANCELED,
    REJECTED,
    EXPIRED,
    /** It never reached the venue and never will. */
    FAILED;

    /** Nothing leads out of a final state. */
    public boolean isFinal() {
        return switch (this) {
            case FILLED, CANCELED, REJECTED, EXPIRED, FAILED -> true;
            case PENDING, DISPATCHED, UNKNOWN, NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE -> false;
        };
    }

    /** Whether a venue can report it; the others are Berth's own. */
    public boolean isAtVenue() {
        return switch (this) {
            case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE, FILLED, CANCELED, REJECTED, EXPIRED -> true;
            case PENDING, DISPATCHED, UNKNOWN, FAILED -> false;
        };
    }

    /** The venue has not given its first answer; such orders count for the admission ceiling. */
    public boolean isUnanswered() {
        return switch (this) {
            case PENDING, DISPATCHED, UNKNOWN -> true;
            case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE -> false;
            case FILLED, CANCELED, REJECTED, EXPIRED, FAILED -> false;
        };
    }
}
