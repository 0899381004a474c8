package dev.berth.activities;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import dev.berth.workflows.order.VenueReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Users and orders. */
public final class Samples {
    public static final UserId ALICE = new UserId("alice");
    public static final UserId BOB = new UserId("bob");
    public static final AccountKey ACCOUNT = PaperAccount.KEY;
    public static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private Samples() {}

    public static OrderRequest order(UserId userId, String id, Instant submittedAt) {
        return new OrderRequest(
                userId,
                new ClientOrderId(id),
                ACCOUNT,
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

    /** The venue filled all 10. */
    public static VenueReport filled() {
        return new VenueReport(
                0,
                null,
                OrderStatus.FILLED,
                "filled",
                "v-1",
                Decimal.of("10"),
                Decimal.of("100.01"),
                null,
                NOON,
                List.of(),
                NOON,
                1);
    }
}
