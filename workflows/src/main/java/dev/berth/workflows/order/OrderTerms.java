package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of an order a replacement may change.
 *
 * @param quantity the total of the order, what is filled already included
 */
public record OrderTerms(
        Decimal quantity,
        @Nullable Decimal limitPrice,
        @Nullable Decimal stopPrice) {

    public static OrderTerms of(OrderRequest request) {
        return new OrderTerms(request.quantity(), request.limitPrice(), request.stopPrice());
    }

    /**
     * These terms with what the replacement names.
     *
     * @throws IllegalArgumentException when it names nothing, or a price that an order of this type
     *     does not have
     */
    public OrderTerms with(Replacement change, OrderType type) {
        if (change.isEmpty()) {
            throw new IllegalArgumentException("Name what to replace: quantity, limitPrice or stopPrice.");
        }
        requirePriceOf("limitPrice", type, change.limitPrice() == null || type.hasLimitPrice());
        requirePriceOf("stopPrice", type, change.stopPrice() == null || type.hasStopPrice());
        return new OrderTerms(
                Objects.requireNonNullElse(change.quantity(), quantity),
                change.limitPrice() == null ? limitPrice : change.limitPrice(),
                change.stopPrice() == null ? stopPrice : change.stopPrice());
    }

    private static void requirePriceOf(String field, OrderType type, boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "A " + type.name().toLowerCase(Locale.ROOT) + " order takes no " + field + ".");
        }
    }
}
