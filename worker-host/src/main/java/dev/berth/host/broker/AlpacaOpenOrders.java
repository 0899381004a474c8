package dev.berth.host.broker;

import static dev.berth.host.broker.AlpacaFields.number;
import static dev.berth.host.broker.AlpacaFields.optional;
import static dev.berth.host.broker.AlpacaFields.text;
import static dev.berth.host.broker.AlpacaFields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.order.OrderPolicies;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open orders of an account, made here or elsewhere: what the stream reported, corrected by
 * lists of all of them.
 */
final class AlpacaOpenOrders {
    /** More orders than a list of them takes time to answer. */
    private static final int REMEMBERED = 10_000;

    private final Map<String, AccountOrder> open = new HashMap<>();
    /**
     * By venue order id, the number of the last update: a list that was asked for before is older.
     */
    private final Map<String, Long> updated = new BoundedMap<>(REMEMBERED);

    private long updates;
    /** Until then it is not known which orders are open. */
    private boolean isListed;

    /** A list of all open orders that is under way. */
    final class Listing {
        private final long since = updates;
        private final Set<String> listed = new HashSet<>();
        private boolean hasNews;

        private Listing() {}

        /** One order of the list. */
        void add(JsonNode order) {
            AccountOrder read = optional(() -> read(order));
            if (read != null) {
                synchronized (AlpacaOpenOrders.this) {
                    listed.add(read.venueOrderId());
                    if (!isNewer(read.venueOrderId()) && !read.equals(open.get(read.venueOrderId()))) {
                        hasNews = true;
                        put(read);
                    }
                }
            }
        }

        /**
         * The list is complete: what it lacks is over.
         *
         * @return whether it differs from what was known
         */
        boolean end() {
            synchronized (AlpacaOpenOrders.this) {
                hasNews |= open.keySet().removeIf(id -> !listed.contains(id) && !isNewer(id)) || !isListed;
                isListed = true;
                return hasNews;
            }
        }

        private boolean isNewer(String venueOrderId) {
            return updated.getOrDefault(venueOrderId, 0L) > since;
        }
    }

    /** Begin before the request is sent. */
    synchronized Listing list() {
        return new Listing();
    }

    /** The stream, or an answer, reported the order as it is now. */
    synchronized void update(JsonNode order) {
        AccountOrder read = optional(() -> read(order));
        if (read != null) {
            updates++;
            updated.put(read.venueOrderId(), updates);
            put(read);
        }
    }

    private void put(AccountOrder order) {
        if (order.status().isFinal() || OrderPolicies.REPLACED.equals(order.venueStatus())) {
            open.remove(order.venueOrderId());
        } else {
            open.put(order.venueOrderId(), order);
        }
    }

    /** All of them, in no order. */
    synchronized List<AccountOrder> all() {
        return List.copyOf(open.values());
    }

    /** The newest first, as many as a report holds; null before the first complete list. */
    synchronized @Nullable List<AccountOrder> newest() {
        return !isListed
                ? null
                : open.values().stream()
                        .sorted(Comparator.comparing(
                                        (AccountOrder order) ->
                                                Objects.requireNonNullElse(order.submittedAt(), Instant.EPOCH),
                                        Comparator.reverseOrder())
                                .thenComparing(AccountOrder::venueOrderId))
                        .limit(AccountReport.MAX_ORDERS)
                        .toList();
    }

    /** @throws IllegalArgumentException when a field without which it says nothing is missing */
    private static AccountOrder read(JsonNode order) {
        String venueStatus = text(order, "status");
        return new AccountOrder(
                text(order, "id"),
                optional(() -> text(order, "client_order_id")),
                text(order, "symbol"),
                word(order, "side"),
                word(order, "type"),
                word(order, "time_in_force"),
                optional(() -> number(order, "qty")),
                order.hasNonNull("filled_qty") ? number(order, "filled_qty") : Decimal.ZERO,
                optional(() -> number(order, "limit_price")),
                optional(() -> number(order, "stop_price")),
                optional(() -> number(order, "filled_avg_price")),
                AlpacaOrders.status(venueStatus),
                venueStatus,
                optional(() -> time(order, "submitted_at")),
                null,
                null);
    }

    private static String word(JsonNode order, String field) {
        return text(order, field).toLowerCase(Locale.ROOT);
    }
}
