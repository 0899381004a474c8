package dev.berth.rest.risk;

import dev.berth.rest.Problem;
import dev.berth.rest.openapi.SchemaPatterns;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.risk.RiskLimits;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body that sets all limits of an account. An absent limit is removed. */
record NewLimits(
        @Schema(description = "of one order", pattern = SchemaPatterns.DECIMAL, example = "1000") @Nullable
        String maxQuantity,

        @Schema(description = "quantity times price of one order", pattern = SchemaPatterns.DECIMAL, example = "100000")
        @Nullable
        String maxNotional,

        @Schema(
                description = "largest distance of a price from the market, as a fraction",
                pattern = SchemaPatterns.DECIMAL,
                example = "0.05")
        @Nullable
        String priceCollar,

        @Schema(minimum = "1", maximum = "10000", example = "10") @Nullable
        Integer ordersPerSecond) {

    /** @throws Problem.Refusal with the first error */
    RiskLimits checked() {
        try {
            return new RiskLimits(
                    decimal("maxQuantity", maxQuantity),
                    decimal("maxNotional", maxNotional),
                    decimal("priceCollar", priceCollar),
                    ordersPerSecond);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_REQUEST.because(String.valueOf(invalid.getMessage()));
        }
    }

    private static @Nullable Decimal decimal(String field, @Nullable String text) {
        try {
            return text == null ? null : Decimal.of(text);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(field + ": " + invalid.getMessage(), invalid);
        }
    }
}
