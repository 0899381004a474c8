package dev.berth.host.broker.fix;

import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the FIX session of one account remembers longer than its process lives. A write of an epoch
 * earlier than the one that opened it last is refused. Each call may block, for some seconds at
 * most.
 */
public interface FixJournal {
    /** A later epoch has the session: this process ends its own. */
    final class FencedException extends IOException {
        private static final long serialVersionUID = 1L;

        public FencedException(Throwable cause) {
            super("a later process has the session", cause);
        }
    }

    /** From now on only this epoch or a later one writes. May be repeated. */
    FixNumbers open() throws IOException;

    /**
     * Stores the next message before it is written. After a failure it may be stored or not: only
     * {@link #open} tells.
     *
     * @param number the next one
     * @param text null for a message of the session itself
     */
    void append(int number, @Nullable String text) throws IOException;

    /**
     * The counterparty's messages before this number count. May be repeated; a lower number than
     * before has no effect.
     *
     * @param changes what they said, in their order, at most
     *     {@link dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest#MOST_CHANGES}
     */
    void received(int nextTarget, List<FixOrderChange> changes) throws IOException;

    /** Both numbers are 1 again. */
    void reset() throws IOException;

    /** The executions of an order's version that counted; a busted one says so. */
    List<Execution> executions(VenueClientOrderId id) throws IOException;

    /** The orders that work, by what counted. */
    List<VenueClientOrderId> working() throws IOException;
}
