package dev.berth.local.venue;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.field.OrderID;

/** Finds the order that a FIX message names. */
final class FixOrders {

    private FixOrders() {}

    /** By OrderID, or else by the client order id in this tag; null if the account has none. */
    static @Nullable VenueOrder find(Book book, String account, Message message, int clientIdTag) {
        var id = FixTerms.text(message, OrderID.FIELD);
        return id == null ? byClientId(book, account, message, clientIdTag) : byId(book, account, id);
    }

    static @Nullable VenueOrder byClientId(Book book, String account, Message message, int tag) {
        var id = FixTerms.text(message, tag);
        return id == null ? null : book.findOrder(account, id);
    }

    private static @Nullable VenueOrder byId(Book book, String account, String id) {
        try {
            var order = book.findOrder(UUID.fromString(id));
            return order != null && order.account().equals(account) ? order : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
