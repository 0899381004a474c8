package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where orders meet quotes: what clients and controls can do to the book. Every method but {@link
 * #arrived} returns only when what it did, or saw, is on disk.
 */
final class Exchange {

    private final Ledger ledger;
    private final InstantSource clock;

    Exchange(Ledger ledger, InstantSource clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /** Looks at the book; {@code question} must not keep it. */
    <T extends @Nullable Object> T read(Function<Book, T> question) {
        return ledger.transact(question);
    }

    /** The account of this key id, opened if it was never seen; null if the secret is another one. */
    @Nullable
    String authenticate(String keyId, String secretSha256) {
        return ledger.<@Nullable String>transact(book -> {
            var account = book.findAccount(keyId);
            if (account == null) {
                ledger.record(new BookEvent.AccountOpened(UUID.randomUUID(), keyId, secretSha256, clock.instant()));
                return keyId;
            }
            return account.secretSha256().equals(secretSha256) ? keyId : null;
        });
    }

    void setQuote(String symbol, Quote quote) {
        ledger.transact(book -> {
            ledger.record(new BookEvent.QuoteSet(symbol, quote, clock.instant()));
            book.openOrders(symbol).forEach(order -> match(book, order.id()));
            return symbol;
        });
    }

    /** Seen by readers at once, but surely on disk only with its verdict. */
    void arrived(Arrival arrival) {
        ledger.note(new BookEvent.SubmissionArrived(arrival));
    }

    void judge(UUID arrival, Verdict verdict) {
        ledger.transact(_ -> {
            ledger.record(new BookEvent.SubmissionJudged(arrival, verdict, clock.instant()));
            return arrival;
        });
    }

    /**
     * Takes an order and matches it.
     *
     * @param verdict what the arrival's record says once the order is booked
     * @throws Refusal if the symbol is unknown, the client order id was used before by this account,
     *     or the money does not suffice; nothing is booked then
     */
    Order submit(String account, OrderTerms terms, UUID arrival, Verdict verdict) {
        return ledger.transact(book -> {
            Asset.require(terms.symbol());
            requireUnused(book, account, terms.clientOrderId());
            requireMoney(book, terms, book.buyingPower(account));
            return accept(book, account, terms, null, arrival, verdict);
        });
    }

    /**
     * Puts an order with {@code change} of its terms in the place of an open one, and matches it.
     *
     * @throws Refusal as {@link #submit}; also if there is no such order, or it is not replaceable
     */
    Order replace(String account, UUID id, Function<OrderTerms, OrderTerms> change, UUID arrival, Verdict verdict) {
        return ledger.transact(book -> {
            var old = owned(book, account, id);
            var terms = change.apply(old.terms());
            requireUnused(book, account, terms.clientOrderId());
            if (!old.status().open() || old.status() == OrderStatus.ACCEPTED) {
                throw Refusal.wrongState(old);
            }
            var setAside = book.cost(old.terms(), old.remainingQty());
            requireMoney(book, terms, book.buyingPower(account).add(setAside));
            return accept(book, account, terms, old, arrival, verdict);
        });
    }

    private Order accept(
            Book book, String account, OrderTerms terms, @Nullable Order replaced, UUID arrival, Verdict verdict) {
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
                case Matching.Step.Rest _ -> {
                    return;
                }
                case Matching.Step.Trigger _ -> ledger.record(new BookEvent.OrderTriggered(id, now));
                case Matching.Step.Cancel _ -> end(order, OrderStatus.CANCELED);
                case Matching.Step.Trade t ->
                    ledger.record(new BookEvent.OrderFilled(id, new Fill(UUID.randomUUID(), t.qty(), t.price(), now)));
            }
        }
    }

    /** @throws Refusal if there is no such order, or it is final already */
    void cancel(String account, UUID id) {
        ledger.transact(book -> end(owned(book, account, id), OrderStatus.CANCELED));
    }

    /** Cancels every open order of the account and returns them as they were. */
    List<Order> cancelAll(String account) {
        return ledger.transact(book -> {
            var open = book.openOrders().stream()
                    .filter(order -> order.account().equals(account))
                    .toList();
            open.forEach(order -> end(order, OrderStatus.CANCELED));
            return open;
        });
    }

    /**
     * Ends an open order of any account, as a market does by itself.
     *
     * @param status rejected, expired or canceled
     * @throws Refusal if there is no such order, or it is final already
     */
    void end(UUID id, OrderStatus status) {
        ledger.transact(book -> end(existing(book, id), status));
    }

    /**
     * Books an execution of an order that is over already, as if the market had told of it late.
     *
     * @throws Refusal if there is no such order, or it is open
     * @throws IllegalArgumentException if that is nothing, or more than the order has left
     */
    Fill executeLate(UUID id, BigDecimal qty, BigDecimal price) {
        return ledger.transact(book -> {
            var order = existing(book, id);
            if (order.status().open()) {
                throw Refusal.wrongState(order);
            }
            if (qty.signum() <= 0 || price.signum() <= 0 || qty.compareTo(order.remainingQty()) > 0) {
                throw new IllegalArgumentException("qty and price must be positive, and qty at most "
                        + Json.plain(order.remainingQty()) + ", which the order has left");
            }
            var fill = new Fill(UUID.randomUUID(), qty, price, clock.instant());
            ledger.record(new BookEvent.LateExecution(id, fill));
            return fill;
        });
    }

    /**
     * Takes an execution back: it counts neither for the order nor for the account any more.
     *
     * @throws Refusal if there is no such order
     * @throws IllegalArgumentException if it has no such execution, or that was taken back before
     */
    Fill bust(UUID id, UUID execution) {
        return ledger.transact(book -> {
            var fill = existing(book, id).fills().stream()
                    .filter(f -> f.executionId().equals(execution))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the order has no execution " + execution));
            ledger.record(new BookEvent.ExecutionBusted(id, fill, clock.instant()));
            return fill;
        });
    }

    /**
     * Tells of every execution of an order once more.
     *
     * @throws Refusal if there is no such order
     */
    List<Fill> repeat(UUID id) {
        return ledger.transact(book -> {
            var order = existing(book, id);
            order.fills().forEach(fill -> ledger.tell(TradeUpdate.filled(order, fill, book)));
            return order.fills();
        });
    }

    private static Order existing(Book book, UUID id) {
        var order = book.findOrder(id);
        if (order == null) {
            throw Refusal.orderNotFound(id.toString());
        }
        return order;
    }

    private OrderStatus end(Order order, OrderStatus status) {
        if (!order.status().open()) {
            throw Refusal.wrongState(order);
        }
        ledger.record(new BookEvent.OrderEnded(order.id(), status, clock.instant()));
        return status;
    }

    private static Order owned(Book book, String account, UUID id) {
        var order = book.findOrder(id);
        if (order == null || !order.account().equals(account)) {
            throw Refusal.orderNotFound(id.toString());
        }
        return order;
    }

    private static void requireUnused(Book book, String account, String clientOrderId) {
        if (book.findOrder(account, clientOrderId) != null) {
            throw Refusal.duplicateClientOrderId();
        }
    }

    private static void requireMoney(Book book, OrderTerms terms, BigDecimal buyingPower) {
        var cost = book.cost(terms, terms.qty());
        if (cost.compareTo(buyingPower) > 0) {
            throw Refusal.insufficientBuyingPower(buyingPower, cost);
        }
    }
}
