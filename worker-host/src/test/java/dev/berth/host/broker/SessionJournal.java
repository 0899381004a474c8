package dev.berth.host.broker;

import java.io.IOException;

/**
 * What a session-bound protocol must remember longer than a process lives, fenced by the epoch: as
 * the worker gateway would keep it for the account.
 */
final class SessionJournal {
    private long epoch;
    private int lastEvent;

    SessionJournal() {
        this(0);
    }

    /** Events up to this one are not repeated. */
    SessionJournal(int lastEvent) {
        this.lastEvent = lastEvent;
    }

    /** From now on only this epoch or a later one writes. */
    synchronized int open(long byEpoch) throws IOException {
        require(byEpoch);
        epoch = byEpoch;
        return lastEvent;
    }

    /** The session has passed the event on. */
    synchronized void received(long byEpoch, int event) throws IOException {
        require(byEpoch);
        lastEvent = Math.max(lastEvent, event);
    }

    /** @throws IOException when a later process has the session */
    synchronized void require(long byEpoch) throws IOException {
        if (byEpoch < epoch) {
            throw new IOException("the session belongs to epoch " + epoch);
        }
    }
}
