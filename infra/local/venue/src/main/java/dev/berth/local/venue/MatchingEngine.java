package dev.berth.local.venue;

import dev.berth.local.venue.Matching.MatchOutcome;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.BiFunction;

/** Matches open orders with the quotes of the book. Only within {@link BookLedger#transact}. */
final class MatchingEngine {

    private final BookLedger ledger;
    private final InstantSource clock;

    MatchingEngine(BookLedger ledger, InstantSource clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    void setQuote(Book book, String symbol, VenueQuote quote) {
        ledger.record(new BookEvent.QuoteSet(symbol, quote, clock.instant()));
        book.openOrders(symbol).forEach(order -> match(book, order.id(), true));
    }

    /**
     * Trades the order at the current quote until it rests or is final.
     *
     * @param resting whether it was in the book before; a stop order is only once it is triggered
     */
    void match(Book book, UUID id, boolean resting) {
        boolean maker = resting && book.order(id).triggered();
        match(book, id, maker, (order, quote) -> Matching.next(order, quote, book.session()));
    }

    /** Trades the orders for this auction at the current quotes, and cancels what is left. */
    void auction(Book book, VenueTimeInForce timeInForce) {
        book.openOrders().stream()
                .filter(order -> order.terms().timeInForce() == timeInForce)
                .forEach(order -> match(book, order.id(), false, Matching::inAuction));
    }

    private void match(Book book, UUID id, boolean maker, BiFunction<VenueOrder, VenueQuote, MatchOutcome> rule) {
        while (book.order(id).status().open()) {
            var order = book.order(id);
            var now = clock.instant();
            switch (rule.apply(order, book.quote(order.terms().symbol()))) {
                case MatchOutcome.Resting _ -> {
                    return;
                }
                case MatchOutcome.Triggered _ -> ledger.record(new BookEvent.OrderTriggered(id, now));
                case MatchOutcome.Canceled _ ->
                    ledger.record(new BookEvent.OrderEnded(id, VenueOrderStatus.CANCELED, now));
                case MatchOutcome.Executed t ->
                    ledger.record(new BookEvent.OrderFilled(id, fill(order.terms(), t, maker)));
            }
        }
    }

    private Fill fill(VenueOrderTerms terms, MatchOutcome.Executed trade, boolean maker) {
        var fee = CryptoFees.of(terms, trade.qty(), trade.price(), maker);
        return new Fill(UUID.randomUUID(), trade.qty(), trade.price(), clock.instant(), fee);
    }
}
