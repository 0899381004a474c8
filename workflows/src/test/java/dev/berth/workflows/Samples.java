package dev.berth.workflows;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One user, her account and her orders. */
public final class Samples {
    public static final UserId ALICE = new UserId("alice");
    public static final AccountKey PAPER = new AccountKey("alpaca", "equity", Environment.PAPER, "paper");
    public static final AccountKey SECOND = new AccountKey("alpaca", "equity", Environment.PAPER, "second");
    public static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    /** The time of the venue's answer. */
    public static final Instant ANSWERED = InMemoryServer.OPEN.plusMillis(300);

    private Samples() {}

    /** Ten shares at market. */
    public static OrderRequest market(Duration dispatchWithin) {
        return marketSubmittedAt(InMemoryServer.OPEN, dispatchWithin);
    }

    public static OrderRequest marketSubmittedAt(Instant submittedAt, Duration dispatchWithin) {
        return order(ALICE, Side.BUY, OrderType.MARKET, "10", null, null, dispatchWithin, submittedAt);
    }

    /** The same of another user, submitted now, for 10 min. */
    public static OrderRequest marketOf(UserId userId) {
        return order(userId, Side.BUY, OrderType.MARKET, "10", null, null, Duration.ofMinutes(10), Instant.now());
    }

    /** At noon, for 2 min. */
    public static OrderRequest order(
            Side side, OrderType type, String quantity, @Nullable String limitPrice, @Nullable String stopPrice) {
        return order(ALICE, side, type, quantity, limitPrice, stopPrice, Duration.ofMinutes(2), NOON);
    }

    private static OrderRequest order(
            UserId userId,
            Side side,
            OrderType type,
            String quantity,
            @Nullable String limitPrice,
            @Nullable String stopPrice,
            Duration dispatchWithin,
            Instant submittedAt) {
        return new OrderRequest(
                userId,
                new ClientOrderId("o-1"),
                PAPER,
                "AAPL",
                side,
                type,
                Decimal.of(quantity),
                limitPrice == null ? null : Decimal.of(limitPrice),
                stopPrice == null ? null : Decimal.of(stopPrice),
                TimeInForce.DAY,
                3,
                dispatchWithin,
                submittedAt);
    }

    public static ExecutionReport report(OrderStatus status, String filled) {
        Decimal quantity = Decimal.of(filled);
        return ExecutionReport.unfilled(0, status, status.name().toLowerCase(Locale.ROOT), ANSWERED, 1)
                .withVenueOrderId("v-1")
                .withFilled(quantity, quantity.isPositive() ? Decimal.of("100.01") : null);
    }

    /** Under the order's first venue id. */
    public static Execution execution(String id, String quantity) {
        return new Execution(id, 0, Decimal.of(quantity), Decimal.of("100.01"), ANSWERED, false);
    }
}
