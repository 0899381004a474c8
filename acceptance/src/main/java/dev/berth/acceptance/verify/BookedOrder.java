package dev.berth.acceptance.verify;

import java.math.BigDecimal;
import java.util.Set;

/**
 * An order in the venue's book.
 *
 * @param id the venue's order id
 * @param account the key id of the sending account
 * @param status the venue's status
 */
record BookedOrder(String id, String account, String clientOrderId, String status, BigDecimal filled) {
    private static final Set<String> OPEN = Set.of("accepted", "new", "partially_filled");

    boolean isOpen() {
        return OPEN.contains(status);
    }

    VenueRecord.AccountOrderKey key() {
        return new VenueRecord.AccountOrderKey(account, clientOrderId);
    }
}
