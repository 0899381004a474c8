package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.rest.openapi.SchemaPatterns;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The body of a submission. {@link OrderValidator} checks which fields are missing. */
record NewOrder(
        @Nullable String clientOrderId,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        AccountKey account,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        String symbol,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        Side side,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        OrderType type,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, pattern = SchemaPatterns.DECIMAL, example = "10") @Nullable
        String quantity,

        @Schema(pattern = SchemaPatterns.DECIMAL) @Nullable String limitPrice,
        @Schema(pattern = SchemaPatterns.DECIMAL) @Nullable String stopPrice,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
        TimeInForce timeInForce,

        @JsonProperty(defaultValue = "3") @Schema(minimum = "1", maximum = "5") @Nullable
        Integer priority,

        @Schema(type = "string", format = "duration", example = "PT120S") @Nullable
        Duration dispatchWithin) {}
