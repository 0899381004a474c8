package dev.berth.api.order;

import dev.berth.api.Problem;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.Replacement;
import dev.berth.workflows.order.Terms;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The body of a replacement; what is absent stays as it is.
 *
 * @param quantity the new total, what is filled already included
 */
record NewTerms(
        @Schema(example = "12") @Nullable String quantity,
        @Nullable String limitPrice,
        @Nullable String stopPrice) {

    /**
     * What of this order is to be replaced.
     *
     * @throws Problem.Refusal with the first thing that is wrong
     */
    Replacement of(OrderRequest order) {
        try {
            Replacement change = new Replacement(
                    decimal("quantity", quantity), decimal("limitPrice", limitPrice), decimal("stopPrice", stopPrice));
            Terms _ = Terms.of(order).with(change, order.type());
            return change;
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ORDER.because(String.valueOf(invalid.getMessage()));
        }
    }

    private static @Nullable Decimal decimal(String field, @Nullable String text) {
        return text == null ? null : OrderIntake.decimal(field, text);
    }
}
