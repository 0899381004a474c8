package dev.berth.temporal.gateway;

import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Side;
import org.jspecify.annotations.Nullable;

/**
 * What a worker and its gateway say about an order that is written to a broker that would take it a
 * second time. User and epoch are the caller's own: no message names them.
 */
public final class OrderIntentMessages {
    private OrderIntentMessages() {}

    /**
     * An order that is about to be written.
     *
     * @param clientOrderId with its version
     */
    public record IntentRequest(AccountKey account, String clientOrderId, String symbol, Side side) {
        public IntentRequest {
            VenueClientOrderId.parse(clientOrderId);
            if (symbol.length() > LONGEST) {
                throw new IllegalArgumentException("symbol has at most " + LONGEST + " characters");
            }
        }
    }

    /**
     * Whether the order may be written.
     *
     * @param inDoubt the order of the same account, symbol and side whose outcome is unknown; null
     *     when there is none, and this one may be written
     */
    public record IntentAnswer(@Nullable String inDoubt) {}

    /**
     * What became of it.
     *
     * @param clientOrderId with its version
     * @param venueOrderId the broker's id; null when nothing was written
     */
    public record IntentOutcomeRequest(
            String clientOrderId, @Nullable String venueOrderId) {
        public IntentOutcomeRequest {
            VenueClientOrderId.parse(clientOrderId);
            if (venueOrderId != null && venueOrderId.length() > LONGEST) {
                throw new IllegalArgumentException("venueOrderId has at most " + LONGEST + " characters");
            }
        }
    }

    /** Asks for an order, by its id with its version. */
    public record IntentQuery(String clientOrderId) {
        public IntentQuery {
            VenueClientOrderId.parse(clientOrderId);
        }
    }

    /**
     * Whether it may have been written.
     *
     * @param venueOrderId the broker's id of it; null when that is not known
     */
    public record KnownIntent(boolean intended, @Nullable String venueOrderId) {}

    private static final int LONGEST = 256;
}
