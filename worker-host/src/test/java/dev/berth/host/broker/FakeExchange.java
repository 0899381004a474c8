package dev.berth.host.broker;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An order book in memory behind the fake brokers; every change is a numbered event. */
final class FakeExchange {
    private static final BigDecimal FUNDS = new BigDecimal(1_000_000);
    private static final BigDecimal MARKET = new BigDecimal("100.01");

    record Fill(String id, BigDecimal quantity, BigDecimal price, Instant time) {}

    /** @param limit null for a market order */
    record Order(
            String id,
            String clientId,
            String side,
            String symbol,
            BigDecimal quantity,
            @Nullable BigDecimal limit,
            String status,
            List<Fill> fills,
            Instant acceptedAt,
            Instant updatedAt) {
        BigDecimal filled() {
            return fills.stream().map(Fill::quantity).reduce(BigDecimal.ZERO, BigDecimal::add);
        }

        boolean isWorking() {
            return status.equals("new") || status.equals("partially_filled");
        }

        private Order with(String changed) {
            return new Order(id, clientId, side, symbol, quantity, limit, changed, fills, acceptedAt, Instant.now());
        }

        private Order withOnly(Fill fill) {
            return new Order(
                    id, clientId, side, symbol, quantity, limit, status, List.of(fill), acceptedAt, Instant.now());
        }

        private Order with(Fill fill) {
            List<Fill> all = new ArrayList<>(fills);
            all.add(fill);
            Order next = new Order(id, clientId, side, symbol, quantity, limit, status, all, acceptedAt, fill.time);
            return next.with(next.filled().compareTo(quantity) < 0 ? "partially_filled" : "filled");
        }
    }

    /**
     * @param fill of this event alone
     * @param corrected the one whose place that takes
     */
    record Event(
            int number,
            Order order,
            @Nullable Fill fill,
            @Nullable Fill corrected) {}

    private final Map<String, Order> orders = new LinkedHashMap<>();
    private final List<String> accepted = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private Consumer<Event> listener = _ -> {};

    /** Null when the account has no funds for it. */
    synchronized @Nullable Order submit(
            String clientId, String side, String symbol, BigDecimal quantity, @Nullable BigDecimal limit) {
        if (quantity.multiply(limit == null ? MARKET : limit).compareTo(FUNDS) > 0) {
            return null;
        }
        accept(new Order(
                "v-" + (accepted.size() + 1),
                clientId,
                side,
                symbol,
                quantity,
                limit,
                "new",
                List.of(),
                Instant.now(),
                Instant.now()));
        if (limit == null) {
            fill(clientId, quantity, MARKET);
        }
        return orders.get(clientId);
    }

    private void accept(Order order) {
        accepted.add(order.clientId);
        change(order);
    }

    private void change(Order order) {
        change(order, null, null);
    }

    private void change(Order order, @Nullable Fill fill, @Nullable Fill corrected) {
        orders.put(order.clientId, order);
        Event event = new Event(events.size() + 1, order, fill, corrected);
        events.add(event);
        listener.accept(event);
    }

    private void fill(String clientId, BigDecimal quantity, BigDecimal price) {
        Fill fill = new Fill("e-" + (events.size() + 1), quantity, price, Instant.now());
        change(find(clientId).orElseThrow().with(fill), fill, null);
    }

    /** Another fill with this price takes the place of the only one. */
    synchronized void correct(BigDecimal price) {
        Order order = orders.values().stream()
                .filter(one -> !one.fills.isEmpty())
                .findFirst()
                .orElseThrow();
        Fill before = order.fills.getFirst();
        Fill fill = new Fill("e-" + (events.size() + 1), before.quantity, price, before.time);
        change(order.withOnly(fill), fill, before);
    }

    synchronized Optional<Order> find(String clientId) {
        return Optional.ofNullable(orders.get(clientId));
    }

    synchronized Optional<Order> findById(String id) {
        return orders.values().stream().filter(order -> order.id.equals(id)).findFirst();
    }

    synchronized List<Order> orders() {
        return List.copyOf(orders.values());
    }

    synchronized void cancel(String clientId) {
        find(clientId).filter(Order::isWorking).ifPresent(order -> change(order.with("canceled")));
    }

    /** Null when the order is over. */
    synchronized @Nullable Order replace(String clientId, String nextId, BigDecimal quantity, BigDecimal limit) {
        Order old = find(clientId).filter(Order::isWorking).orElse(null);
        if (old == null || orders.containsKey(nextId)) {
            return null;
        }
        change(old.with("replaced"));
        accept(new Order(
                "v-" + (accepted.size() + 1),
                nextId,
                old.side,
                old.symbol,
                quantity,
                limit,
                "new",
                List.of(),
                Instant.now(),
                Instant.now()));
        return orders.get(nextId);
    }

    synchronized void trade(BigDecimal quantity, BigDecimal price) {
        Order working =
                orders.values().stream().filter(Order::isWorking).findFirst().orElseThrow();
        fill(working.clientId, quantity, price);
    }

    synchronized List<Order> working() {
        return orders.values().stream().filter(Order::isWorking).toList();
    }

    synchronized boolean hasWorking() {
        return orders.values().stream().anyMatch(Order::isWorking);
    }

    synchronized List<String> accepted() {
        return List.copyOf(accepted);
    }

    /** Passes on the events after this one, and all that follow. */
    synchronized void subscribe(int after, Consumer<Event> next) {
        events.subList(Math.min(after, events.size()), events.size()).forEach(next);
        listener = next;
    }
}
