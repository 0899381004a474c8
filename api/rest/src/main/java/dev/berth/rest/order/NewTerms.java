package dev.berth.rest.order;

import dev.berth.rest.Problem;
import dev.berth.rest.openapi.SchemaPatterns;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Replacement;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The body of a replacement; absent fields keep their value.
 *
 * @param quantity the new total, including the filled part
 */
record NewTerms(
        @Schema(pattern = SchemaPatterns.DECIMAL, example = "12") @Nullable
        String quantity,

        @Schema(pattern = SchemaPatterns.DECIMAL) @Nullable String limitPrice,
        @Schema(pattern = SchemaPatterns.DECIMAL) @Nullable String stopPrice) {

    /**
     * The replacement for an order.
     *
     * @throws Problem.Refusal with the first error
     */
    Replacement of(OrderRequest order) {
        try {
            Replacement change = new Replacement(
                    decimal("quantity", quantity), decimal("limitPrice", limitPrice), decimal("stopPrice", stopPrice));
            OrderTerms _ = OrderTerms.of(order).with(change, order.type());
            return change;
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ORDER.because(String.valueOf(invalid.getMessage()));
        }
    }

    private static @Nullable Decimal decimal(String field, @Nullable String text) {
        return text == null ? null : OrderValidator.decimal(field, text);
    }
}
