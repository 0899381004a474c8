package dev.berth.local.venue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where orders meet quotes: one lock, so that there is one order of events, and that is the order of
 * the journal's lines. A method returns only when what it did, or saw, is on disk.
 */
final class Exchange implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Book book = new Book();
    private final Journal journal;
    private final Outbox outbox = new Outbox();
    private final InstantSource clock;
    /** What happened under the lock and is not in the journal yet. */
    private final List<BookEvent> happened = new ArrayList<>();

    private final List<TradeUpdate> updates = new ArrayList<>();

    /**
     * Carries on from what the file holds.
     *
     * @throws IOException as {@link Journal#open} does
     */
    Exchange(Path bookFile, InstantSource clock) throws IOException {
        this.clock = clock;
        this.journal = Journal.open(bookFile, book::apply);
    }

    /** Tells {@code receiver} of every change of an order, in the book's order, once it is durable. */
    void subscribe(Consumer<TradeUpdate> receiver) {
        outbox.subscribe(receiver);
    }

    /** Looks at the book; {@code question} must not keep it. */
    <T> T read(Function<Book, T> question) {
        return transact(() -> question.apply(book));
    }

    /** The account of this key id, opened if it was never seen; null if the secret is another one. */
    @Nullable
    String authenticate(String keyId, String secretSha256) {
        return transact(() -> {
            var account = book.findAccount(keyId);
            if (account == null) {
                record(new BookEvent.AccountOpened(UUID.randomUUID(), keyId, secretSha256, clock.instant()));
                return keyId;
            }
            return account.secretSha256().equals(secretSha256) ? keyId : null;
        });
    }

    void setQuote(String symbol, Quote quote) {
        transact(() -> {
            record(new BookEvent.QuoteSet(symbol, quote, clock.instant()));
            book.openOrders(symbol).forEach(order -> match(order.id()));
            return symbol;
        });
    }

    /** Written at once, but on disk only with the next force: its verdict brings one. */
    void arrived(Arrival arrival) {
        lock.lock();
        try {
            record(new BookEvent.SubmissionArrived(arrival));
        } finally {
            write();
            lock.unlock();
        }
    }

    void judge(UUID arrival, Verdict verdict) {
        transact(() -> record(new BookEvent.SubmissionJudged(arrival, verdict, clock.instant())));
    }

    /**
     * Takes an order and matches it.
     *
     * @param verdict what the arrival's record says once the order is booked
     * @throws Refusal if the symbol is unknown, the client order id was used before by this account,
     *     or the money does not suffice; nothing is booked then
     */
    Order submit(String account, OrderTerms terms, UUID arrival, Verdict verdict) {
        return transact(() -> {
            Asset.require(terms.symbol());
            requireUnused(account, terms.clientOrderId());
            var cost = book.cost(terms, terms.qty());
            var buyingPower = book.buyingPower(account);
            if (cost.compareTo(buyingPower) > 0) {
                throw Refusal.insufficientBuyingPower(buyingPower, cost);
            }
            var id = UUID.randomUUID();
            record(new BookEvent.OrderAccepted(id, account, terms, null, clock.instant()));
            record(new BookEvent.SubmissionJudged(arrival, verdict, clock.instant()));
            match(id);
            return book.order(id);
        });
    }

    /**
     * Puts an order with {@code change} of its terms in the place of an open one, and matches it.
     *
     * @throws Refusal as {@link #submit}; also if there is no such order, or it is not replaceable
     */
    Order replace(String account, UUID id, Function<OrderTerms, OrderTerms> change, UUID arrival, Verdict verdict) {
        return transact(() -> {
            var old = owned(account, id);
            var terms = change.apply(old.terms());
            requireUnused(account, terms.clientOrderId());
            if (!old.status().open() || old.status() == OrderStatus.ACCEPTED) {
                throw Refusal.wrongState(old);
            }
            var cost = book.cost(terms, terms.qty());
            var buyingPower = book.buyingPower(account).add(book.cost(old.terms(), old.remainingQty()));
            if (cost.compareTo(buyingPower) > 0) {
                throw Refusal.insufficientBuyingPower(buyingPower, cost);
            }
            var next = UUID.randomUUID();
            record(new BookEvent.OrderReplaced(id, next, clock.instant()));
            record(new BookEvent.OrderAccepted(next, account, terms, id, clock.instant()));
            record(new BookEvent.SubmissionJudged(arrival, verdict, clock.instant()));
            match(next);
            return book.order(next);
        });
    }

    /** @throws Refusal if there is no such order, or it is final already */
    void cancel(String account, UUID id) {
        transact(() -> end(owned(account, id), OrderStatus.CANCELED));
    }

    /** Cancels every open order of the account and returns them. */
    List<Order> cancelAll(String account) {
        return transact(() -> {
            var open = book.openOrders().stream()
                    .filter(order -> order.account().equals(account))
                    .toList();
            open.forEach(order -> end(order, OrderStatus.CANCELED));
            return open;
        });
    }

    /**
     * Ends an open order as the venue's own decision.
     *
     * @param status rejected, expired or canceled
     * @throws Refusal if there is no such order, or it is final already
     */
    void end(UUID id, OrderStatus status) {
        transact(() -> {
            var order = book.findOrder(id);
            if (order == null) {
                throw Refusal.orderNotFound(id.toString());
            }
            return end(order, status);
        });
    }

    private BookEvent end(Order order, OrderStatus status) {
        if (!order.status().open()) {
            throw Refusal.wrongState(order);
        }
        return record(new BookEvent.OrderEnded(order.id(), status, clock.instant()));
    }

    private Order owned(String account, UUID id) {
        var order = book.findOrder(id);
        if (order == null || !order.account().equals(account)) {
            throw Refusal.orderNotFound(id.toString());
        }
        return order;
    }

    private void requireUnused(String account, String clientOrderId) {
        if (book.findOrder(account, clientOrderId) != null) {
            throw Refusal.duplicateClientOrderId();
        }
    }

    private void match(UUID id) {
        while (book.order(id).status().open()) {
            var order = book.order(id);
            var now = clock.instant();
            switch (Matching.next(order, book.quote(order.terms().symbol()))) {
                case Matching.Step.Rest _ -> {
                    return;
                }
                case Matching.Step.Trigger _ -> record(new BookEvent.OrderTriggered(id, now));
                case Matching.Step.Cancel _ -> record(new BookEvent.OrderEnded(id, OrderStatus.CANCELED, now));
                case Matching.Step.Trade t ->
                    record(new BookEvent.OrderFilled(id, new Fill(UUID.randomUUID(), t.qty(), t.price(), now)));
            }
        }
    }

    private BookEvent record(BookEvent event) {
        book.apply(event);
        happened.add(event);
        var update = TradeUpdate.of(event, book);
        if (update != null) {
            updates.add(update);
        }
        return event;
    }

    /** Forces outside the lock: while one caller waits for the disk, others are matched. */
    private <T extends @Nullable Object> T transact(Supplier<T> work) {
        T result;
        long position;
        lock.lock();
        try {
            result = work.get();
        } finally {
            position = write();
            lock.unlock();
        }
        journal.force(position);
        outbox.deliver(journal.durable());
        return result;
    }

    private long write() {
        if (happened.isEmpty()) {
            return journal.written();
        }
        long position = journal.append(happened);
        outbox.add(position, List.copyOf(updates));
        happened.clear();
        updates.clear();
        return position;
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}
