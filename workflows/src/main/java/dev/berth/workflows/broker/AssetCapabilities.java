package dev.berth.workflows.broker;

import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.TimeInForce;
import java.util.List;

/**
 * What an adapter can do for one asset class.
 *
 * @param orderClasses such as {@code simple}: an order without others that depend on it
 * @param fractional whether a quantity may have digits after the point
 * @param notional whether an order may name an amount of money in place of a quantity
 * @param massCancel whether the broker cancels all orders with one request
 * @param reads what of the account can be read
 * @param streams what the broker reports by itself
 * @param quantityUnit what a quantity of 1 is
 */
public record AssetCapabilities(
        AssetClass assetClass,
        List<OrderType> orderTypes,
        List<TimeInForce> timesInForce,
        List<String> orderClasses,
        boolean fractional,
        boolean notional,
        boolean extendedHours,
        boolean replace,
        boolean massCancel,
        List<AccountRead> reads,
        List<String> streams,
        String quantityUnit) {
    public AssetCapabilities {
        orderTypes = List.copyOf(orderTypes);
        timesInForce = List.copyOf(timesInForce);
        orderClasses = List.copyOf(orderClasses);
        reads = List.copyOf(reads);
        streams = List.copyOf(streams);
    }
}
