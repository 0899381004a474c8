package dev.berth.workflows.position;

import static dev.berth.workflows.Samples.NOON;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.account.HeldPositions;
import dev.berth.workflows.account.UnusedAccountControl;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An account at a venue that fills market orders when it is told to. */
final class ModelAccount extends UnusedAccountControl {
    private final Map<String, BigDecimal> positions = new LinkedHashMap<>();
    private final Map<String, AccountOrder> open = new LinkedHashMap<>();
    /** What happened, such as {@code cancel v-1}. */
    final List<String> calls = new ArrayList<>();
    /** Symbols whose position was on both sides of zero. */
    final List<String> crossed = new ArrayList<>();
    /** By venue order id, what fills while the order is being canceled. */
    final Map<String, String> filledAtCancel = new LinkedHashMap<>();
    /** Ids of orders that a cancel does not end. */
    final List<String> stubborn = new ArrayList<>();

    int failures;
    FailureType how = FailureType.NO_SESSION;
    boolean holdsMarketOrders;

    synchronized void hold(String symbol, String quantity) {
        positions.put(symbol, new BigDecimal(quantity));
    }

    synchronized void order(String id, String symbol, String side, String type, String quantity) {
        open.put(id, order(id, id, symbol, side, type, quantity, "0"));
    }

    private static AccountOrder order(
            String id, String clientOrderId, String symbol, String side, String type, String quantity, String filled) {
        return new AccountOrder(
                id,
                clientOrderId,
                symbol,
                side,
                type,
                "day",
                Decimal.of(quantity),
                Decimal.of(filled),
                null,
                null,
                null,
                OrderStatus.NEW,
                "new",
                NOON,
                null,
                null);
    }

    /** A market order of Berth reaches the venue. */
    synchronized void take(ClosingOrder order) {
        String side = order.side().name().toLowerCase(java.util.Locale.ROOT);
        String id = "v-" + order.clientOrderId();
        calls.add(side + " " + order.quantity() + " " + order.symbol());
        if (holdsMarketOrders) {
            open.put(
                    id,
                    order(
                            id,
                            order.clientOrderId().value(),
                            order.symbol(),
                            side,
                            "market",
                            order.quantity().toString(),
                            "0"));
        } else {
            fill(order.symbol(), side, order.quantity().value());
        }
    }

    private void fill(String symbol, String side, BigDecimal quantity) {
        BigDecimal before = positions.getOrDefault(symbol, BigDecimal.ZERO);
        BigDecimal after = side.equals("buy") ? before.add(quantity) : before.subtract(quantity);
        if (before.signum() * after.signum() < 0) {
            crossed.add(symbol);
        }
        positions.put(symbol, after);
    }

    /** The open market orders are executed. */
    synchronized void fillAll() {
        open.values().removeIf(order -> {
            if (order.type().equals("market") && order.quantity() != null) {
                fill(order.symbol(), order.side(), order.quantity().value());
                return true;
            }
            return false;
        });
    }

    synchronized BigDecimal position(String symbol) {
        return positions.getOrDefault(symbol, BigDecimal.ZERO);
    }

    @Override
    public synchronized HeldPositions holdings(AccountKey account, @Nullable String symbol) {
        if (failures > 0) {
            failures--;
            throw how.failure("not now");
        }
        calls.add("read");
        List<AccountPosition> held = positions.entrySet().stream()
                .map(position -> new AccountPosition(
                        position.getKey(),
                        position.getKey().contains("/") ? "crypto" : "us_equity",
                        new SignedDecimal(position.getValue()),
                        Decimal.ZERO,
                        Decimal.of("100"),
                        "USD",
                        null))
                .toList();
        return HeldPositions.of(
                new AccountReport(account, NOON, null, held, List.copyOf(open.values()), List.of()), symbol);
    }

    @Override
    public synchronized CancelVenueOrderOutcome cancel(AccountKey account, String venueOrderId) {
        calls.add("cancel " + venueOrderId);
        AccountOrder order = open.get(venueOrderId);
        if (order == null) {
            return CancelVenueOrderOutcome.ABSENT;
        }
        if (stubborn.contains(venueOrderId)) {
            return CancelVenueOrderOutcome.REFUSED;
        }
        String filled = filledAtCancel.get(venueOrderId);
        if (filled != null) {
            fill(order.symbol(), order.side(), new BigDecimal(filled));
        }
        open.remove(venueOrderId);
        return CancelVenueOrderOutcome.REQUESTED;
    }
}
