package dev.berth.local.venue;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Closes positions with market orders. Such an order has a client order id of the venue and no
 * arrival: arrivals are what clients submitted.
 */
final class PositionClosing {

    /** What became of one position: an order, or a refusal. */
    record ClosedPosition(
            String symbol,
            @Nullable VenueOrder order,
            @Nullable VenueRefusal refusal) {}

    private final BookLedger ledger;
    private final OrderEntry entry;

    PositionClosing(BookLedger ledger, OrderEntry entry) {
        this.ledger = ledger;
        this.entry = entry;
    }

    /** @throws VenueRefusal if there is no such position, or other orders hold too much of it */
    VenueOrder close(String account, String symbol, ClosingQty qty) {
        return ledger.transact(
                book -> close(book, account, book.account(account).requirePosition(symbol), qty));
    }

    /** @param cancelsOrders whether every open order of the account is canceled first */
    List<ClosedPosition> closeAll(String account, boolean cancelsOrders) {
        return ledger.transact(book -> {
            if (cancelsOrders) {
                book.openOrdersOf(account).forEach(entry::cancel);
            }
            return List.copyOf(book.account(account).positions()).stream()
                    .map(position -> tryClose(book, account, position))
                    .toList();
        });
    }

    private ClosedPosition tryClose(Book book, String account, VenuePosition position) {
        try {
            var order = close(book, account, position, ClosingQty.ALL);
            return new ClosedPosition(position.symbol(), order, null);
        } catch (VenueRefusal refusal) {
            return new ClosedPosition(position.symbol(), null, refusal);
        }
    }

    private VenueOrder close(Book book, String account, VenuePosition position, ClosingQty qty) {
        boolean crypto = Asset.require(position.symbol()).assetClass() == VenueAssetClass.CRYPTO;
        var terms = new VenueOrderTerms(
                UUID.randomUUID().toString(),
                position.symbol(),
                position.closingSide(),
                VenueOrderType.MARKET,
                crypto ? VenueTimeInForce.GTC : VenueTimeInForce.DAY,
                qty.of(position),
                null,
                null,
                false);
        return entry.enter(book, account, terms, null);
    }
}
