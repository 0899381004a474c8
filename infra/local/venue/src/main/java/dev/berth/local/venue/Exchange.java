package dev.berth.local.venue;

import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations of clients on the book. Every method but {@link #recordArrival} returns only when
 * everything that it changed or read is on disk.
 */
final class Exchange {

    private final BookLedger ledger;
    private final InstantSource clock;
    private final Predicate<String> isRevoked;
    private final MatchingEngine matching;
    private final OrderEntry entry;

    /** @param isRevoked whether the credentials of a key id are refused */
    Exchange(
            BookLedger ledger,
            InstantSource clock,
            MatchingEngine matching,
            OrderEntry entry,
            Predicate<String> isRevoked) {
        this.ledger = ledger;
        this.clock = clock;
        this.isRevoked = isRevoked;
        this.matching = matching;
        this.entry = entry;
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
            matching.setQuote(book, symbol, quote);
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
     * @throws VenueRefusal if {@link OrderChecks} refuse it; nothing is booked
     */
    VenueOrder submit(String account, VenueOrderTerms terms, UUID arrival, SubmissionVerdict verdict) {
        return ledger.transact(book -> {
            var order = entry.enter(book, account, terms, null);
            ledger.record(new BookEvent.SubmissionJudged(arrival, verdict, clock.instant()));
            return order;
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
            var order = entry.enter(book, account, change.apply(old.terms()), old);
            ledger.record(new BookEvent.SubmissionJudged(arrival, verdict, clock.instant()));
            return order;
        });
    }

    /** @throws VenueRefusal if the order is unknown or final */
    void cancel(String account, UUID id) {
        ledger.transact(book -> {
            entry.cancel(owned(book, account, id));
            return id;
        });
    }

    /** Cancels every open order of the account and returns the orders before the cancel. */
    List<VenueOrder> cancelAll(String account) {
        return cancelAll(account, _ -> true);
    }

    /** As the other {@code cancelAll}, for the orders that {@code selection} accepts. */
    List<VenueOrder> cancelAll(String account, Predicate<VenueOrder> selection) {
        return ledger.transact(book -> {
            var open = book.openOrdersOf(account).stream().filter(selection).toList();
            open.forEach(entry::cancel);
            return open;
        });
    }

    private static VenueOrder owned(Book book, String account, UUID id) {
        var order = book.findOrder(id);
        if (order == null || !order.account().equals(account)) {
            throw VenueRefusal.orderNotFound(id.toString());
        }
        return order;
    }
}
