package dev.berth.local.venue;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What the account must have for an order. Each check fails with a {@link VenueRefusal}. */
final class OrderChecks {

    private final Book book;
    private final String account;
    private final VenueOrderTerms terms;
    private final @Nullable VenueOrder replaced;

    /** @param replaced what it holds is available to the order that replaces it */
    OrderChecks(Book book, String account, VenueOrderTerms terms, @Nullable VenueOrder replaced) {
        this.book = book;
        this.account = account;
        this.terms = terms;
        this.replaced = replaced;
    }

    void requireAll() {
        Asset.require(terms.symbol());
        requireUnusedClientOrderId();
        requireReplaceable();
        requireAvailableQty();
        requireBuyingPower();
    }

    private void requireUnusedClientOrderId() {
        if (book.findOrder(account, terms.clientOrderId()) != null) {
            throw VenueRefusal.duplicateClientOrderId();
        }
    }

    private void requireReplaceable() {
        if (replaced != null && (!replaced.status().open() || replaced.status() == VenueOrderStatus.ACCEPTED)) {
            throw VenueRefusal.wrongState(replaced);
        }
    }

    /** An order closes at most what other orders leave of a position, and never crosses zero. */
    private void requireAvailableQty() {
        var position = book.account(account).position(terms.symbol());
        if (!position.isClosedBy(terms.side())) {
            return;
        }
        var own = replaced == null ? BigDecimal.ZERO : replaced.remainingQty();
        var held = book.heldForOrders(account, position).subtract(own);
        if (terms.qty().compareTo(position.available(held)) > 0) {
            throw VenueRefusal.insufficientQty(terms.qty(), position, held);
        }
    }

    private void requireBuyingPower() {
        var reserved = replaced == null ? BigDecimal.ZERO : book.cost(replaced.terms(), replaced.remainingQty());
        var buyingPower = book.buyingPower(account).add(reserved);
        var cost = book.cost(terms, terms.qty());
        if (cost.compareTo(buyingPower) > 0) {
            throw VenueRefusal.insufficientBuyingPower(buyingPower, cost);
        }
    }
}
