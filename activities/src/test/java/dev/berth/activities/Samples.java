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
import java.util.Locale;

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
        return report(0, OrderStatus.FILLED, "10", NOON);
    }

    /** So much of the leg was filled then. */
    public static VenueReport report(int leg, OrderStatus status, String filled, Instant at) {
        Decimal quantity = Decimal.of(filled);
        return new VenueReport(
                leg,
                null,
                status,
                status.name().toLowerCase(Locale.ROOT),
                "v-1",
                quantity,
                quantity.isPositive() ? Decimal.of("100.01") : null,
                null,
                at,
                List.of(),
                at,
                1);
    }
}
