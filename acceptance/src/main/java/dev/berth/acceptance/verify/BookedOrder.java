package dev.berth.acceptance.verify;

import java.math.BigDecimal;
import java.util.Set;

/**
 * What the venue accepted.
 *
 * @param id the venue's
 * @param account key id of the account that sent it
 * @param status in the venue's words
 */
record BookedOrder(String id, String account, String clientOrderId, String status, BigDecimal filled) {
    private static final Set<String> OPEN = Set.of("accepted", "new", "partially_filled");

    boolean isOpen() {
        return OPEN.contains(status);
    }

    VenueRecord.Key key() {
        return new VenueRecord.Key(account, clientOrderId);
    }
}
