package dev.berth.host;

import dev.berth.activities.broker.PaperAccount;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Users and orders. */
public final class Samples {
    public static final UserId ALICE = new UserId("alice");
    public static final UserId BOB = new UserId("bob");
    public static final AccountKey ACCOUNT = PaperAccount.KEY;

    private Samples() {}

    /** Is filled at once. */
    public static OrderRequest market(String id) {
        return order(id, null, "10", Instant.now());
    }

    /** Far below the market, so it rests at the venue. */
    public static OrderRequest resting(String id) {
        return order(id, "1", "10", Instant.now());
    }

    /** More than any account can pay. */
    public static OrderRequest tooLarge(String id) {
        return order(id, null, "100000000", Instant.now());
    }

    /** Was to be sent within 2 min of {@code submittedAt}. */
    public static OrderRequest submitted(String id, Instant submittedAt) {
        return order(id, null, "10", submittedAt);
    }

    private static OrderRequest order(String id, @Nullable String limit, String quantity, Instant submittedAt) {
        return new OrderRequest(
                ALICE,
                new ClientOrderId(id),
                ACCOUNT,
                "AAPL",
                Side.BUY,
                limit == null ? OrderType.MARKET : OrderType.LIMIT,
                Decimal.of(quantity),
                limit == null ? null : Decimal.of(limit),
                null,
                TimeInForce.DAY,
                3,
                Duration.ofMinutes(2),
                submittedAt);
    }
}
