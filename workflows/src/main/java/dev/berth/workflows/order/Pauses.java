package dev.berth.workflows.order;

import java.time.Duration;

/** Pauses that double from the first to the longest. */
final class Pauses {
    private final Duration longest;
    private Duration next;
    private Duration last;

    Pauses(Duration first, Duration longest) {
        this.longest = longest;
        this.next = first;
        this.last = first;
    }

    Duration next() {
        last = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return last;
    }

    /** The last pause was cut short: it counts for nothing. */
    void repeat() {
        next = last;
    }
}
