package dev.berth.rest.masscancel;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Side;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body that cancels everything that it matches; an absent field matches all. */
record NewMassCancel(
        @Nullable AccountKey account,

        @Schema(example = "AAPL") @Nullable String symbol,

        @Nullable Side side) {}
