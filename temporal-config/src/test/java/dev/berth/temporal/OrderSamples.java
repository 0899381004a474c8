package dev.berth.temporal;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.temporal.common.converter.DataConverter;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Users, orders, and a Temporal for them. */
public final class OrderSamples {
    public static final UserId ALICE = new UserId("alice");
    public static final UserId BOB = new UserId("bob");
    public static final AccountKey ACCOUNT = new AccountKey("alpaca", "equity", Environment.PAPER, "paper");
    public static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private OrderSamples() {}

    /** A server in memory that knows the search attributes. */
    public static TestWorkflowEnvironment temporal(boolean timeSkipping) {
        return temporal(timeSkipping, TemporalClients.DATA_CONVERTER);
    }

    /** The same, whose own client and workers use this converter. */
    public static TestWorkflowEnvironment temporal(boolean timeSkipping, DataConverter converter) {
        TestEnvironmentOptions.Builder options = TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(timeSkipping)
                .setWorkflowClientOptions(
                        TemporalClients.workflows("default", converter).build());
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        return TestWorkflowEnvironment.newInstance(options.build());
    }

    /** Ten shares at market, to be sent within 2 min. */
    public static OrderRequest order(UserId userId, String id, Instant submittedAt) {
        return order(userId, id, "10", null, submittedAt);
    }

    /** An order of alice that is filled at once. */
    public static OrderRequest market(String id) {
        return order(ALICE, id, Instant.now());
    }

    /** A limit far below the market: the order of alice stays working. */
    public static OrderRequest belowMarket(String id) {
        return order(ALICE, id, "10", Decimal.of("1"), Instant.now());
    }

    /** An order of alice that no account can pay. */
    public static OrderRequest tooLarge(String id) {
        return order(ALICE, id, "100000000", null, Instant.now());
    }

    private static OrderRequest order(
            UserId userId, String id, String quantity, @Nullable Decimal limitPrice, Instant submittedAt) {
        return new OrderRequest(
                userId,
                new ClientOrderId(id),
                ACCOUNT,
                "AAPL",
                Side.BUY,
                limitPrice == null ? OrderType.MARKET : OrderType.LIMIT,
                Decimal.of(quantity),
                limitPrice,
                null,
                TimeInForce.DAY,
                3,
                Duration.ofMinutes(2),
                submittedAt);
    }

    /** The venue filled all 10. */
    public static ExecutionReport filled() {
        return report(0, OrderStatus.FILLED, "10", NOON);
    }

    /** So much of the version was filled then. */
    public static ExecutionReport report(int version, OrderStatus status, String filled, Instant at) {
        Decimal quantity = Decimal.of(filled);
        return ExecutionReport.unfilled(version, status, status.name().toLowerCase(Locale.ROOT), at, 1)
                .withVenueOrderId("v-1")
                .withFilled(quantity, quantity.isPositive() ? Decimal.of("100.01") : null)
                .withUpdatedAt(at);
    }
}
