package dev.berth.local.venue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Opens and closes the venue: holds the auctions, ends day orders and releases those that wait. */
final class SessionControl {

    private final BookLedger ledger;
    private final MatchingEngine matching;
    private final InstantSource clock;

    SessionControl(BookLedger ledger, MatchingEngine matching, InstantSource clock) {
        this.ledger = ledger;
        this.matching = matching;
        this.clock = clock;
    }

    /** @param now of the venue's clock from now on, which shows it and nothing else; null: real */
    void set(VenueSession next, @Nullable Instant now) {
        ledger.transact(book -> {
            var before = book.session();
            var time = clock.instant();
            var offset = now == null ? Duration.ZERO : Duration.between(time, now);
            ledger.record(new BookEvent.SessionSet(next, offset.toMillis(), time));
            if (before == VenueSession.REGULAR && next != VenueSession.REGULAR) {
                matching.auction(book, VenueTimeInForce.CLS);
            }
            if (before != VenueSession.REGULAR && next == VenueSession.REGULAR) {
                matching.auction(book, VenueTimeInForce.OPG);
            }
            if (before != VenueSession.CLOSED && next == VenueSession.CLOSED) {
                expireDayOrders(book);
            }
            release(book, next);
            return next;
        });
    }

    private void expireDayOrders(Book book) {
        book.openOrders().stream()
                .filter(order -> order.terms().timeInForce() == VenueTimeInForce.DAY)
                .forEach(order ->
                        ledger.record(new BookEvent.OrderEnded(order.id(), VenueOrderStatus.EXPIRED, clock.instant())));
    }

    private void release(Book book, VenueSession session) {
        for (var order : book.openOrders()) {
            if (order.status() == VenueOrderStatus.ACCEPTED && session.trades(order.terms())) {
                ledger.record(new BookEvent.OrderOpened(order.id(), clock.instant()));
            }
            matching.match(book, order.id(), true);
        }
    }

    /** The time that the venue's clock shows. */
    static Instant now(Book book, InstantSource clock) {
        return clock.instant().plus(book.clockOffset());
    }
}
