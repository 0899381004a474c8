package dev.berth.api.order;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The body of a submission. Everything may be missing here; {@link OrderIntake} says what must not be. */
record NewOrder(
        @Nullable String clientOrderId,
        @Nullable AccountKey account,
        @Nullable String symbol,
        @Nullable Side side,
        @Nullable OrderType type,
        @Schema(example = "10") @Nullable String quantity,
        @Nullable String limitPrice,
        @Nullable String stopPrice,
        @Nullable TimeInForce timeInForce,
        @JsonProperty(defaultValue = "3") @Nullable Integer priority,

        @Schema(type = "string", example = "PT120S") @Nullable
        Duration dispatchWithin) {}
