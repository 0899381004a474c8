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

    /** How its status differs from what Berth has. */
    String differenceTo(BerthOrder order) {
        return "%s is %s, and %s at the venue (order %s)".formatted(order.id(), order.status(), status, id);
    }

    VenueRecord.AccountOrderKey key() {
        return new VenueRecord.AccountOrderKey(account, clientOrderId);
    }
}
