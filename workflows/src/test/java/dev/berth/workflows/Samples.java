package dev.berth.workflows;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.Execution;
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

/** One user, her account and her orders. */
public final class Samples {
    public static final UserId ALICE = new UserId("alice");
    public static final AccountKey PAPER = new AccountKey("alpaca", "equity", Environment.PAPER, "paper");
    public static final AccountKey SECOND = new AccountKey("alpaca", "equity", Environment.PAPER, "second");
    /** When the venue says what it says. */
    public static final Instant ANSWERED = InMemoryServer.OPEN.plusMillis(300);

    private Samples() {}

    /** Ten shares at market. */
    public static OrderRequest market(Duration dispatchWithin) {
        return marketSubmittedAt(InMemoryServer.OPEN, dispatchWithin);
    }

    public static OrderRequest marketSubmittedAt(Instant submittedAt, Duration dispatchWithin) {
        return new OrderRequest(
                ALICE,
                new ClientOrderId("o-1"),
                PAPER,
                "AAPL",
                Side.BUY,
                OrderType.MARKET,
                Decimal.of("10"),
                null,
                null,
                TimeInForce.DAY,
                3,
                dispatchWithin,
                submittedAt);
    }

    public static VenueReport report(OrderStatus status, String filled) {
        Decimal quantity = Decimal.of(filled);
        return new VenueReport(
                0,
                null,
                status,
                status.name().toLowerCase(Locale.ROOT),
                "v-1",
                quantity,
                quantity.isPositive() ? Decimal.of("100.01") : null,
                null,
                null,
                List.of(),
                ANSWERED,
                1);
    }

    /** Four shares, say; told under the order's first venue id. */
    public static Execution execution(String id, String quantity) {
        return new Execution(id, 0, Decimal.of(quantity), Decimal.of("100.01"), ANSWERED, false);
    }
}
