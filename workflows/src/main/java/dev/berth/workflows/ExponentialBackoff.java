package dev.berth.workflows;

import java.time.Duration;

/** Pauses that double from the first to the longest. */
public final class ExponentialBackoff {
    private final Duration first;
    private final Duration longest;
    private Duration next;
    private Duration last;

    public ExponentialBackoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.next = first;
        this.last = first;
    }

    public Duration next() {
        last = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return last;
    }

    /** The last pause was cut short: it counts for nothing. */
    public void repeat() {
        next = last;
    }

    /** What was waited for has happened: the next pause is the first one again. */
    public void reset() {
        next = first;
    }
}
