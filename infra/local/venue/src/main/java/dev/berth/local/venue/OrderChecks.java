package dev.berth.local.venue;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What the account must have for an order. Each check fails with a {@link VenueRefusal}. */
final class OrderChecks {

    private final Book book;
    private final String account;
    private final VenueOrderTerms terms;
    private final @Nullable VenueOrder replaced;
    private final OrderReserves reserves;
    private final Asset asset;
    private final boolean crypto;

    /**
     * @param replaced what it holds is available to the order that replaces it
     * @throws VenueRefusal if the symbol is unknown
     */
    OrderChecks(Book book, String account, VenueOrderTerms terms, @Nullable VenueOrder replaced) {
        this.book = book;
        this.account = account;
        this.terms = terms;
        this.replaced = replaced;
        this.reserves = new OrderReserves(book, account);
        this.asset = Asset.require(terms.symbol());
        this.crypto = asset.assetClass() == VenueAssetClass.CRYPTO;
    }

    void requireAll() {
        requireUnusedClientOrderId();
        requireReplaceable();
        requireAssetRules();
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

    private void requireAssetRules() {
        if (terms.timeInForce().auction() && terms.type().hasStop()) {
            throw VenueRefusal.notPossible("opg and cls orders must be market or limit orders");
        }
        if (asset.increments() != null) {
            CryptoRules.require(terms, asset.increments());
        }
    }

    /**
     * An order closes at most what other orders leave of a position, and never crosses zero. Only
     * shares are sold short.
     */
    private void requireAvailableQty() {
        var position = book.account(account).position(terms.symbol());
        boolean closes = crypto ? terms.side() == VenueSide.SELL : position.isClosedBy(terms.side());
        if (!closes) {
            return;
        }
        var own = replaced == null ? BigDecimal.ZERO : replaced.remainingQty();
        var held = reserves.held(position).subtract(own).max(BigDecimal.ZERO);
        var available = position.available(held);
        if (terms.qty().compareTo(available) > 0) {
            throw crypto
                    ? VenueRefusal.insufficientBalance(asset.base(), terms.qty(), available)
                    : VenueRefusal.insufficientQty(terms.qty(), position, held);
        }
    }

    private void requireBuyingPower() {
        var reserved = replaced == null ? BigDecimal.ZERO : reserves.cost(replaced.terms(), replaced.remainingQty());
        var buyingPower = reserves.buyingPower().add(reserved);
        var cost = reserves.cost(terms, terms.qty());
        if (cost.compareTo(buyingPower) > 0) {
            throw crypto
                    ? VenueRefusal.insufficientBalance("USD", cost, buyingPower)
                    : VenueRefusal.insufficientBuyingPower(buyingPower, cost);
        }
    }
}
