package dev.berth.rest.order;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.TokenBuffer;

/**
 * The body of a batch of submissions.
 *
 * @param orders 1 to 100, each read by itself, so that one that cannot be read refuses no other
 * @param allOrNothing whether one order that is refused lets none be accepted; absent: no
 */
record NewBatch(
        @ArraySchema(minItems = 1, maxItems = MOST, schema = @Schema(implementation = NewOrder.class))
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable
        List<@Nullable TokenBuffer> orders,

        @Nullable Boolean allOrNothing) {
    static final int MOST = 100;
}
