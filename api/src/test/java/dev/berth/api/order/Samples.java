package dev.berth.api.order;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.time.Duration;
import java.time.Instant;

/** Orders of alice. */
final class Samples {
    private Samples() {}

    static OrderRequest order(String id, Instant submittedAt) {
        return new OrderRequest(
                new UserId("alice"),
                new ClientOrderId(id),
                PaperAccount.KEY,
                "AAPL",
                Side.BUY,
                OrderType.MARKET,
                Decimal.of("10"),
                null,
                null,
                TimeInForce.DAY,
                3,
                Duration.ofMinutes(2),
                submittedAt);
    }
}
