package dev.berth.local.venue;

import java.time.InstantSource;
import java.util.UUID;

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
        while (book.order(id).status().open()) {
            var order = book.order(id);
            var now = clock.instant();
            switch (Matching.next(order, book.quote(order.terms().symbol()))) {
                case Matching.MatchOutcome.Resting _ -> {
                    return;
                }
                case Matching.MatchOutcome.Triggered _ -> ledger.record(new BookEvent.OrderTriggered(id, now));
                case Matching.MatchOutcome.Canceled _ ->
                    ledger.record(new BookEvent.OrderEnded(id, VenueOrderStatus.CANCELED, now));
                case Matching.MatchOutcome.Executed t ->
                    ledger.record(new BookEvent.OrderFilled(id, fill(order.terms(), t, maker)));
            }
        }
    }

    private Fill fill(VenueOrderTerms terms, Matching.MatchOutcome.Executed trade, boolean maker) {
        var fee = CryptoFees.of(terms, trade.qty(), trade.price(), maker);
        return new Fill(UUID.randomUUID(), trade.qty(), trade.price(), clock.instant(), fee);
    }
}
