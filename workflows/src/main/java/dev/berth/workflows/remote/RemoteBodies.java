package dev.berth.workflows.remote;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import org.jspecify.annotations.Nullable;

/** Bodies of calls, by method. */
public final class RemoteBodies {
    private RemoteBodies() {}

    /** The body of {@link RemoteMethod#SEND}: what the broker needs of an order. */
    public record OrderToSend(
            String clientOrderId,
            String symbol,
            Side side,
            OrderType type,
            Decimal quantity,
            @Nullable Decimal limitPrice,
            @Nullable Decimal stopPrice,
            TimeInForce timeInForce) {

        public static OrderToSend of(OrderRequest order) {
            return new OrderToSend(
                    order.clientOrderId().value(),
                    order.symbol(),
                    order.side(),
                    order.type(),
                    order.quantity(),
                    order.limitPrice(),
                    order.stopPrice(),
                    order.timeInForce());
        }
    }

    /**
     * The body of {@link RemoteMethod#REPLACE}.
     *
     * @param quantity of the next version alone: without what was filled before
     */
    public record NextVersion(
            String current,
            String next,
            Decimal quantity,
            @Nullable Decimal limitPrice,
            @Nullable Decimal stopPrice) {}

    /** The body of methods that concern one order version. */
    public record VersionId(String clientOrderId) {}

    /** The body of methods that concern the account. */
    public record Nothing() {}
}
