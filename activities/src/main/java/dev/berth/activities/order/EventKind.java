package dev.berth.activities.order;

import java.util.Locale;

/** What happened, in the log of all users. {@link EventSearch} tells which step is which. */
public enum EventKind {
    /** The order waits in its user's queue for the first time. */
    QUEUED,
    /** A worker took the order. */
    PROCESSING,
    /** A worker took the order and sent nothing, which is proven. */
    DECLINED,
    /** The order waits in its user's queue again. */
    RETRY,
    /** Whether the venue has the order is not known; the venue is asked. */
    UNKNOWN,
    /** The venue has the order, or filled a part of it. */
    WORKING,
    /** A cancel or a replacement is on its way to the venue. */
    CHANGING,
    /** Filled, canceled or expired at the venue, or canceled before it was sent. */
    COMPLETED,
    /** Failed, or rejected by the venue. */
    FAILED,
    /** The user's worker changed its state. */
    WORKER;

    /** The name in REST and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
