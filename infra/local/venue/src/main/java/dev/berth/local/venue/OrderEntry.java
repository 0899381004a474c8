package dev.berth.local.venue;

import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Books new orders and ends them. Only within {@link BookLedger#transact}. */
final class OrderEntry {

    private final BookLedger ledger;
    private final MatchingEngine matching;
    private final InstantSource clock;

    OrderEntry(BookLedger ledger, MatchingEngine matching, InstantSource clock) {
        this.ledger = ledger;
        this.matching = matching;
        this.clock = clock;
    }

    /**
     * Books an order and matches it.
     *
     * @param replaced the order whose place it takes
     * @throws VenueRefusal if {@link OrderChecks} refuse it; nothing is booked
     */
    VenueOrder enter(Book book, String account, VenueOrderTerms terms, @Nullable VenueOrder replaced) {
        new OrderChecks(book, account, terms, replaced).requireAll();
        var id = UUID.randomUUID();
        var now = clock.instant();
        if (replaced != null) {
            ledger.record(new BookEvent.OrderReplaced(replaced.id(), id, now));
        }
        ledger.record(new BookEvent.OrderAccepted(id, account, terms, replaced == null ? null : replaced.id(), now));
        matching.match(book, id, false);
        return book.order(id);
    }

    /** @throws VenueRefusal if the order is final */
    void cancel(VenueOrder order) {
        order.requireOpen();
        ledger.record(new BookEvent.OrderEnded(order.id(), VenueOrderStatus.CANCELED, clock.instant()));
    }
}
