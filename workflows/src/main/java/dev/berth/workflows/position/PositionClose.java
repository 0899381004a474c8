package dev.berth.workflows.position;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.account.AccountPosition;
import org.jspecify.annotations.Nullable;

/**
 * What became of one position.
 *
 * @param quantity of the position, negative when short; null when the account has none
 * @param order that closes it; null when none was sent
 * @param refusal of the order
 * @param reason why there is no order, or why it is smaller than the position
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PositionClose(
        String symbol,
        @Nullable SignedDecimal quantity,
        @Nullable ClientOrderId order,
        @Nullable RefusedClose refusal,
        @Nullable String reason) {

    static PositionClose none(String symbol, String reason) {
        return new PositionClose(symbol, null, null, null, reason);
    }

    static PositionClose ordered(AccountPosition position, ClosingOrder order, @Nullable String reason) {
        return new PositionClose(position.symbol(), position.quantity(), order.clientOrderId(), null, reason);
    }

    static PositionClose refused(AccountPosition position, RefusedClose refusal) {
        return new PositionClose(position.symbol(), position.quantity(), null, refusal, null);
    }

    static PositionClose skipped(AccountPosition position, String reason) {
        return new PositionClose(position.symbol(), position.quantity(), null, null, reason);
    }
}
