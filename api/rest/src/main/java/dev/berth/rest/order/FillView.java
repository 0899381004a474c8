package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionFee;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an order. Quantity and price are decimal strings.
 *
 * @param executionId the venue's id
 * @param orderVersion 0 for the order as it was submitted, n for its nth replacement
 * @param at by the venue's clock
 * @param busted whether the venue busted (cancelled) the execution
 * @param fee absent when the broker does not tell it with the execution
 */
public record FillView(
        String executionId,
        int orderVersion,
        String quantity,
        String price,
        Instant at,
        boolean busted,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FeeView fee) {

    /** What the broker took for one execution; negative when it paid. */
    public record FeeView(String amount, String currency) {
        /** Null without one. */
        public static @Nullable FeeView of(@Nullable ExecutionFee fee) {
            return fee == null ? null : new FeeView(fee.amount().toString(), fee.currency());
        }
    }

    /** As its user sees it. */
    public static FillView of(Execution execution) {
        return new FillView(
                execution.executionId(),
                execution.version(),
                execution.quantity().toString(),
                execution.price().toString(),
                execution.at(),
                execution.busted(),
                FeeView.of(execution.fee()));
    }
}
