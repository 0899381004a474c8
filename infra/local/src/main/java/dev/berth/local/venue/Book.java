package dev.berth.local.venue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything the venue knows: what its events add up to. No I/O, no clock, no lock; the {@link
 * Ledger} guards it.
 */
final class Book {

    private record ClientId(String account, String clientOrderId) {}

    private final Map<String, Account> accounts = new HashMap<>();
    private final Map<String, Quote> quotes = new TreeMap<>();
    private final Map<UUID, Order> orders = new LinkedHashMap<>();
    private final Map<ClientId, UUID> clientIds = new HashMap<>();
    private final Map<UUID, Order> open = new LinkedHashMap<>();

    private final Map<UUID, Arrival> arrivals = new LinkedHashMap<>();

    Book() {
        Asset.ALL.keySet().forEach(symbol -> quotes.put(symbol, Quote.INITIAL));
    }

    void apply(BookEvent event) {
        switch (event) {
            case BookEvent.AccountOpened e -> accounts.put(e.keyId(), new Account(e));
            case BookEvent.QuoteSet e -> quotes.put(e.symbol(), e.quote());
            case BookEvent.SubmissionArrived e -> arrivals.put(e.arrival().id(), e.arrival());
            case BookEvent.SubmissionJudged e ->
                arrivals.computeIfPresent(e.arrival(), (_, arrival) -> arrival.judged(e.verdict()));
            case BookEvent.OrderAccepted e -> accept(e);
            case BookEvent.OrderTriggered e -> put(order(e.order()).triggeredAt(e.time()));
            case BookEvent.OrderFilled e -> fill(order(e.order()), e.fill());
            case BookEvent.OrderEnded e -> put(order(e.order()).ended(e.status(), e.time()));
            case BookEvent.OrderReplaced e -> put(order(e.order()).replacedBy(e.by(), e.time()));
            case BookEvent.LateExecution e -> executeLate(order(e.order()), e.fill());
            case BookEvent.ExecutionBusted e -> bust(order(e.order()), e);
        }
    }

    private void accept(BookEvent.OrderAccepted e) {
        var replaced = e.replaces() == null ? null : order(e.replaces());
        clientIds.put(new ClientId(e.account(), e.terms().clientOrderId()), e.id());
        put(Order.accepted(e.id(), e.account(), e.terms(), e.time(), replaced));
    }

    private void fill(Order order, Fill fill) {
        var terms = order.terms();
        account(order.account()).trade(terms.symbol(), terms.side(), fill);
        quotes.computeIfPresent(terms.symbol(), (_, quote) -> quote.taken(terms.side(), fill.qty()));
        put(order.filled(fill));
    }

    /** It took nothing of what the quote offers now. */
    private void executeLate(Order order, Fill fill) {
        account(order.account()).trade(order.terms().symbol(), order.terms().side(), fill);
        put(order.filledLate(fill));
    }

    private void bust(Order order, BookEvent.ExecutionBusted e) {
        account(order.account())
                .trade(order.terms().symbol(), order.terms().side().opposite(), e.fill());
        put(order.busted(e.fill().executionId(), e.time()));
    }

    private void put(Order order) {
        orders.put(order.id(), order);
        if (order.status().open()) {
            open.put(order.id(), order);
        } else {
            open.remove(order.id());
        }
    }

    @Nullable
    Account findAccount(String keyId) {
        return accounts.get(keyId);
    }

    /** @throws IllegalStateException if the key id was never seen */
    Account account(String keyId) {
        var account = accounts.get(keyId);
        if (account == null) {
            throw new IllegalStateException("no account for key id " + keyId);
        }
        return account;
    }

    Map<String, Quote> quotes() {
        return Map.copyOf(quotes);
    }

    Quote quote(String symbol) {
        return quotes.getOrDefault(symbol, Quote.INITIAL);
    }

    /** @throws IllegalStateException if there is no such order */
    Order order(UUID id) {
        var order = orders.get(id);
        if (order == null) {
            throw new IllegalStateException("no order " + id);
        }
        return order;
    }

    @Nullable
    Order findOrder(UUID id) {
        return orders.get(id);
    }

    /** By the id that the client gave it, open or not; null if that account never used the id. */
    @Nullable
    Order findOrder(String account, String clientOrderId) {
        var id = clientIds.get(new ClientId(account, clientOrderId));
        return id == null ? null : orders.get(id);
    }

    /** Oldest first. */
    Collection<Order> orders() {
        return List.copyOf(orders.values());
    }

    /** Of one account, oldest first. */
    List<Order> orders(String account) {
        return orders.values().stream()
                .filter(order -> order.account().equals(account))
                .toList();
    }

    /** Oldest first. */
    List<Order> openOrders() {
        return List.copyOf(open.values());
    }

    /** Oldest first: so they meet a new quote. */
    List<Order> openOrders(String symbol) {
        return open.values().stream()
                .filter(order -> order.terms().symbol().equals(symbol))
                .toList();
    }

    Collection<Arrival> arrivals() {
        return new ArrayList<>(arrivals.values());
    }

    /** Cash that is not set aside for open buy orders, US dollars. */
    BigDecimal buyingPower(String keyId) {
        var setAside = open.values().stream()
                .filter(order -> order.account().equals(keyId))
                .map(order -> cost(order.terms(), order.remainingQty()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return account(keyId).cash().subtract(setAside);
    }

    /** What {@code qty} shares on these terms may cost, US dollars; nothing for a sell. */
    BigDecimal cost(OrderTerms terms, BigDecimal qty) {
        if (terms.side() == Side.SELL) {
            return BigDecimal.ZERO;
        }
        var price = terms.limitPrice() != null ? terms.limitPrice() : terms.stopPrice();
        return qty.multiply(price != null ? price : quote(terms.symbol()).ask());
    }
}
