package dev.berth.temporal.gateway;

import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Side;
import java.time.Instant;
import java.util.List;
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
     * @param terms of that version
     */
    public record IntentRequest(AccountKey account, String clientOrderId, String symbol, Side side, OrderTerms terms) {
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
     * An order that may have been written.
     *
     * @param at when it was about to be
     * @param venueOrderId the broker's id of it; null when that is not known
     * @param unwritten whether it surely was not: its session stores each message before it writes
     *     it, and has none of this order
     */
    public record OrderIntent(
            String symbol,
            Side side,
            OrderTerms terms,
            Instant at,
            @Nullable String venueOrderId,
            boolean unwritten) {}

    /** The intent of an order; null when the order surely was not written. */
    public record KnownIntent(@Nullable OrderIntent intent) {}

    /** Asks whose orders of an account have these ids at the broker. */
    public record ClaimsQuery(AccountKey account, List<String> venueOrderIds) {
        /** The most ids of one question. */
        public static final int MOST = 500;

        public ClaimsQuery {
            venueOrderIds = List.copyOf(venueOrderIds);
            if (venueOrderIds.size() > MOST || venueOrderIds.stream().anyMatch(id -> id.length() > LONGEST)) {
                throw new IllegalArgumentException(
                        "at most " + MOST + " ids of at most " + LONGEST + " characters each");
            }
        }
    }

    /**
     * An order that has an id at the broker.
     *
     * @param clientOrderId with its version
     * @param over whether its own row tells that it is final
     */
    public record OrderClaim(String venueOrderId, String clientOrderId, boolean over) {}

    /** Whose they are; an id that is not there belongs to no order of Berth. */
    public record Claims(List<OrderClaim> claims) {}

    private static final int LONGEST = 256;
}
