package dev.berth.activities.account;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.ExecutionFee;
import dev.berth.workflows.order.Side;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an account, of an order that was made here or elsewhere.
 *
 * @param account {@code broker/market/environment/accountId}
 * @param executionId the venue's own
 * @param clientOrderId null for an order that was made elsewhere
 * @param venueOrderId null when the broker has not told it
 * @param fee null when the broker does not tell it with the execution
 * @param at by the venue's clock
 * @param busted whether the venue took it back
 * @param position its place among the executions of its user
 */
public record AccountFill(
        String account,
        String executionId,
        @Nullable ClientOrderId clientOrderId,
        @Nullable String venueOrderId,
        String symbol,
        Side side,
        Decimal quantity,
        Decimal price,
        @Nullable ExecutionFee fee,
        Instant at,
        boolean busted,
        Position position) {

    /**
     * A place among executions, newest first. It stays valid while executions are added.
     *
     * @param id of the execution, or of the activity that tells it
     * @param orderId the client order id; empty for an order that was made elsewhere
     */
    public record Position(Instant at, String id, String orderId) {}
}
