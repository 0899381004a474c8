package dev.berth.workflows.risk;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Orders of alice, who trades at alpaca. */
final class RiskOrders {
    static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private RiskOrders() {}

    static OrderRequest order(
            Side side, OrderType type, String quantity, @Nullable String limitPrice, @Nullable String stopPrice) {
        return new OrderRequest(
                new UserId("alice"),
                new ClientOrderId("o-1"),
                new AccountKey("alpaca", "equity", Environment.PAPER, "paper"),
                "AAPL",
                side,
                type,
                Decimal.of(quantity),
                limitPrice == null ? null : Decimal.of(limitPrice),
                stopPrice == null ? null : Decimal.of(stopPrice),
                TimeInForce.DAY,
                3,
                Duration.ofMinutes(2),
                NOON);
    }
}
