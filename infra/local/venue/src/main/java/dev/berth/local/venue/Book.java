package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of the venue: the result of its events. No I/O, no clock, no lock; the
 * {@link BookLedger} guards it.
 */
final class Book {

    private record ClientId(String account, String clientOrderId) {}

    private final Map<String, VenueAccount> accounts = new HashMap<>();
    private final Map<String, VenueQuote> quotes = new TreeMap<>();
    private final Map<UUID, VenueOrder> orders = new LinkedHashMap<>();
    private final Map<ClientId, UUID> clientIds = new HashMap<>();
    private final Map<UUID, VenueOrder> open = new LinkedHashMap<>();

    private final Map<UUID, VenueArrival> arrivals = new LinkedHashMap<>();
    private VenueSession session = VenueSession.REGULAR;
    private Duration clockOffset = Duration.ZERO;

    Book() {
        Asset.ALL.forEach((symbol, asset) -> quotes.put(symbol, asset.initialQuote()));
    }

    void apply(BookEvent event) {
        switch (event) {
            case BookEvent.AccountOpened e -> accounts.put(e.keyId(), new VenueAccount(e));
            case BookEvent.QuoteSet e -> quotes.put(e.symbol(), e.quote());
            case BookEvent.SessionSet e -> {
                session = e.session();
                clockOffset = Duration.ofMillis(e.clockOffsetMillis());
            }
            case BookEvent.SubmissionArrived e -> arrivals.put(e.arrival().id(), e.arrival());
            case BookEvent.SubmissionJudged e ->
                arrivals.computeIfPresent(e.arrival(), (_, arrival) -> arrival.judged(e.verdict()));
            case BookEvent.OrderAccepted e -> accept(e);
            case BookEvent.OrderOpened e -> put(order(e.order()).openedAt(e.time()));
            case BookEvent.OrderTriggered e -> put(order(e.order()).triggeredAt(e.time()));
            case BookEvent.OrderFilled e -> fill(order(e.order()), e.fill());
            case BookEvent.OrderEnded e -> put(order(e.order()).ended(e.status(), e.time()));
            case BookEvent.OrderReplaced e -> put(order(e.order()).replacedBy(e.by(), e.time()));
            case BookEvent.LateExecution e -> executeLate(order(e.order()), e.fill());
            case BookEvent.ExecutionBusted e -> bust(order(e.order()), e);
            case BookEvent.ExecutionCorrected e -> correct(order(e.order()), e);
        }
    }

    private void accept(BookEvent.OrderAccepted e) {
        var replaced = e.replaces() == null ? null : order(e.replaces());
        clientIds.put(new ClientId(e.account(), e.terms().clientOrderId()), e.id());
        put(VenueOrder.accepted(e, session.trades(e.terms()), replaced));
    }

    private void fill(VenueOrder order, Fill fill) {
        var terms = order.terms();
        account(order.account()).trade(terms.symbol(), terms.side(), fill);
        quotes.computeIfPresent(terms.symbol(), (_, quote) -> quote.taken(terms.side(), fill.qty()));
        put(order.filled(fill));
    }

    /** Leaves the sizes of the current quote unchanged. */
    private void executeLate(VenueOrder order, Fill fill) {
        account(order.account()).trade(order.terms().symbol(), order.terms().side(), fill);
        put(order.filledLate(fill));
    }

    private void bust(VenueOrder order, BookEvent.ExecutionBusted e) {
        account(order.account()).reverse(order.terms().symbol(), order.terms().side(), e.fill());
        put(order.busted(e.fill().executionId(), e.time()));
    }

    private void correct(VenueOrder order, BookEvent.ExecutionCorrected e) {
        var terms = order.terms();
        account(order.account()).reverse(terms.symbol(), terms.side(), e.corrected());
        account(order.account()).trade(terms.symbol(), terms.side(), e.fill());
        put(order.corrected(e.corrected().executionId(), e.fill(), e.time()));
    }

    private void put(VenueOrder order) {
        orders.put(order.id(), order);
        if (order.status().open()) {
            open.put(order.id(), order);
        } else {
            open.remove(order.id());
        }
    }

    @Nullable
    VenueAccount findAccount(String keyId) {
        return accounts.get(keyId);
    }

    List<VenueAccount> accounts() {
        return List.copyOf(accounts.values());
    }

    /** @throws IllegalStateException if the key id is unknown */
    VenueAccount account(String keyId) {
        var account = accounts.get(keyId);
        if (account == null) {
            throw new IllegalStateException("no account for key id " + keyId);
        }
        return account;
    }

    Map<String, VenueQuote> quotes() {
        return Map.copyOf(quotes);
    }

    /** @throws NullPointerException if the symbol is unknown */
    VenueQuote quote(String symbol) {
        return Objects.requireNonNull(quotes.get(symbol), symbol);
    }

    VenueSession session() {
        return session;
    }

    /** By which the venue's clock is ahead of the real time. */
    Duration clockOffset() {
        return clockOffset;
    }

    /** The bid for a long position, the ask for a short one. */
    BigDecimal closingPrice(VenuePosition position) {
        return quote(position.symbol()).price(position.closingSide());
    }

    /** @throws IllegalStateException if there is no such order */
    VenueOrder order(UUID id) {
        var order = orders.get(id);
        if (order == null) {
            throw new IllegalStateException("no order " + id);
        }
        return order;
    }

    @Nullable
    VenueOrder findOrder(UUID id) {
        return orders.get(id);
    }

    /** By client order id, open or not; null if the account never used the id. */
    @Nullable
    VenueOrder findOrder(String account, String clientOrderId) {
        var id = clientIds.get(new ClientId(account, clientOrderId));
        return id == null ? null : orders.get(id);
    }

    /** Oldest first. */
    Collection<VenueOrder> orders() {
        return List.copyOf(orders.values());
    }

    /** The orders of one account, oldest first. */
    List<VenueOrder> orders(String account) {
        return orders.values().stream()
                .filter(order -> order.account().equals(account))
                .toList();
    }

    /** Oldest first. */
    List<VenueOrder> openOrders() {
        return List.copyOf(open.values());
    }

    /** The open orders of one account, oldest first. */
    List<VenueOrder> openOrdersOf(String account) {
        return open.values().stream()
                .filter(order -> order.account().equals(account))
                .toList();
    }

    /** Oldest first, the order of matching. */
    List<VenueOrder> openOrders(String symbol) {
        return open.values().stream()
                .filter(order -> order.terms().symbol().equals(symbol))
                .toList();
    }

    Collection<VenueArrival> arrivals() {
        return new ArrayList<>(arrivals.values());
    }
}
