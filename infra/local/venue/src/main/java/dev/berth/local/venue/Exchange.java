package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations of clients on the book, and the matching of orders with quotes. Every method but
 * {@link #recordArrival} returns only when everything that it changed or read is on disk.
 */
final class Exchange {

    private final BookLedger ledger;
    private final InstantSource clock;
    private final Predicate<String> isRevoked;

    /** @param isRevoked whether the credentials of a key id are refused */
    Exchange(BookLedger ledger, InstantSource clock, Predicate<String> isRevoked) {
        this.ledger = ledger;
        this.clock = clock;
        this.isRevoked = isRevoked;
    }

    /** Reads the book; {@code query} must not keep it. */
    <T extends @Nullable Object> T read(Function<Book, T> query) {
        return ledger.transact(query);
    }

    /** The account of this key id, opened on its first use; null if the secret is wrong. */
    @Nullable
    String authenticate(String keyId, String secretSha256) {
        if (isRevoked.test(keyId)) {
            return null;
        }
        return ledger.<@Nullable String>transact(book -> {
            var account = book.findAccount(keyId);
            if (account == null) {
                ledger.record(new BookEvent.AccountOpened(UUID.randomUUID(), keyId, secretSha256, clock.instant()));
                return keyId;
            }
            return account.secretSha256().equals(secretSha256) ? keyId : null;
        });
    }

    void setQuote(String symbol, VenueQuote quote) {
        ledger.transact(book -> {
            ledger.record(new BookEvent.QuoteSet(symbol, quote, clock.instant()));
            book.openOrders(symbol).forEach(order -> match(book, order.id()));
            return symbol;
        });
    }

    /** Visible to readers at once, but on disk only with its verdict. */
    void recordArrival(VenueArrival arrival) {
        ledger.recordUnforced(new BookEvent.SubmissionArrived(arrival));
    }

    void judge(UUID arrival, SubmissionVerdict verdict) {
        ledger.transact(_ -> {
            ledger.record(new BookEvent.SubmissionJudged(arrival, verdict, clock.instant()));
            return arrival;
        });
    }

    /**
     * Books an order and matches it.
     *
     * @param verdict the verdict of the arrival after the booking
     * @throws VenueRefusal if the symbol is unknown, the account used the client order id before,
     *     or the buying power is insufficient; nothing is booked
     */
    VenueOrder submit(String account, VenueOrderTerms terms, UUID arrival, SubmissionVerdict verdict) {
        return ledger.transact(book -> {
            Asset.require(terms.symbol());
            requireUnused(book, account, terms.clientOrderId());
            requireBuyingPower(book, terms, book.buyingPower(account));
            return accept(book, account, terms, null, arrival, verdict);
        });
    }

    /**
     * Replaces an open order by one with changed terms, and matches it.
     *
     * @throws VenueRefusal as {@link #submit}; also if the order is unknown or not replaceable
     */
    VenueOrder replace(
            String account,
            UUID id,
            Function<VenueOrderTerms, VenueOrderTerms> change,
            UUID arrival,
            SubmissionVerdict verdict) {
        return ledger.transact(book -> {
            var old = owned(book, account, id);
            var terms = change.apply(old.terms());
            requireUnused(book, account, terms.clientOrderId());
            if (!old.status().open() || old.status() == VenueOrderStatus.ACCEPTED) {
                throw VenueRefusal.wrongState(old);
            }
            var reserved = book.cost(old.terms(), old.remainingQty());
            requireBuyingPower(book, terms, book.buyingPower(account).add(reserved));
            return accept(book, account, terms, old, arrival, verdict);
        });
    }

    private VenueOrder accept(
            Book book,
            String account,
            VenueOrderTerms terms,
            @Nullable VenueOrder replaced,
            UUID arrival,
            SubmissionVerdict verdict) {
        var id = UUID.randomUUID();
        var now = clock.instant();
        if (replaced != null) {
            ledger.record(new BookEvent.OrderReplaced(replaced.id(), id, now));
        }
        ledger.record(new BookEvent.OrderAccepted(id, account, terms, replaced == null ? null : replaced.id(), now));
        ledger.record(new BookEvent.SubmissionJudged(arrival, verdict, now));
        match(book, id);
        return book.order(id);
    }

    private void match(Book book, UUID id) {
        while (book.order(id).status().open()) {
            var order = book.order(id);
            var now = clock.instant();
            switch (Matching.next(order, book.quote(order.terms().symbol()))) {
                case Matching.MatchOutcome.Resting _ -> {
                    return;
                }
                case Matching.MatchOutcome.Triggered _ -> ledger.record(new BookEvent.OrderTriggered(id, now));
                case Matching.MatchOutcome.Canceled _ -> end(order, VenueOrderStatus.CANCELED);
                case Matching.MatchOutcome.Executed t ->
                    ledger.record(new BookEvent.OrderFilled(id, new Fill(UUID.randomUUID(), t.qty(), t.price(), now)));
            }
        }
    }

    /** @throws VenueRefusal if the order is unknown or final */
    void cancel(String account, UUID id) {
        ledger.transact(book -> end(owned(book, account, id), VenueOrderStatus.CANCELED));
    }

    /** Cancels every open order of the account and returns the orders before the cancel. */
    List<VenueOrder> cancelAll(String account) {
        return ledger.transact(book -> {
            var open = book.openOrders().stream()
                    .filter(order -> order.account().equals(account))
                    .toList();
            open.forEach(order -> end(order, VenueOrderStatus.CANCELED));
            return open;
        });
    }

    private VenueOrderStatus end(VenueOrder order, VenueOrderStatus status) {
        order.requireOpen();
        ledger.record(new BookEvent.OrderEnded(order.id(), status, clock.instant()));
        return status;
    }

    private static VenueOrder owned(Book book, String account, UUID id) {
        var order = book.findOrder(id);
        if (order == null || !order.account().equals(account)) {
            throw VenueRefusal.orderNotFound(id.toString());
        }
        return order;
    }

    private static void requireUnused(Book book, String account, String clientOrderId) {
        if (book.findOrder(account, clientOrderId) != null) {
            throw VenueRefusal.duplicateClientOrderId();
        }
    }

    private static void requireBuyingPower(Book book, VenueOrderTerms terms, BigDecimal buyingPower) {
        var cost = book.cost(terms, terms.qty());
        if (cost.compareTo(buyingPower) > 0) {
            throw VenueRefusal.insufficientBuyingPower(buyingPower, cost);
        }
    }
}
