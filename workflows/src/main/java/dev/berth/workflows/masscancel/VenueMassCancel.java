package dev.berth.workflows.masscancel;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import java.util.List;

/**
 * One round of cancels at an account's venue.
 *
 * @param later own orders that were accepted after the request: they are left alone, as are those
 *     that the worker itself sent and knows to be later
 */
public record VenueMassCancel(AccountKey account, MassCancel request, List<ClientOrderId> later) {
    public VenueMassCancel {
        later = List.copyOf(later);
    }

    /**
     * What a round did.
     *
     * @param items one for each order that was open and matches, at most {@link #MOST}; the next
     *     round has others
     * @param open how many orders are still to be canceled
     */
    public record Round(List<MassCancelItem> items, int open) {
        /** With these an answer has less than the 256 KiB that a gateway takes. */
        public static final int MOST = 500;

        public Round {
            items = List.copyOf(items);
            if (items.size() > MOST || open < 0) {
                throw new IllegalArgumentException("a round has more than it may");
            }
        }
    }
}
