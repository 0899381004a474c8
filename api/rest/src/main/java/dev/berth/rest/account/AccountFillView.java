package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.activities.account.AccountFill;
import dev.berth.rest.CsvText;
import dev.berth.rest.order.FillView.FeeView;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.Side;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an account. Quantity and price are decimal strings.
 *
 * @param executionId the venue's id
 * @param clientOrderId null for an order that was made elsewhere
 * @param venueOrderId null when the broker has not told it
 * @param account broker/market/environment/accountId
 * @param fee null when the broker does not tell it with the execution
 * @param at by the venue's clock
 * @param busted whether the venue took the execution back: it counts nothing
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record AccountFillView(
        String executionId,
        @Nullable String clientOrderId,
        @Nullable String venueOrderId,
        String account,
        String symbol,
        Side side,
        String quantity,
        String price,
        @Nullable FeeView fee,
        Instant at,
        boolean busted) {
    private static final List<String> HEADER = List.of(
            "executionId",
            "clientOrderId",
            "venueOrderId",
            "account",
            "symbol",
            "side",
            "quantity",
            "price",
            "feeAmount",
            "feeCurrency",
            "at",
            "busted");

    static AccountFillView of(AccountFill fill) {
        ClientOrderId id = fill.clientOrderId();
        return new AccountFillView(
                fill.executionId(),
                id == null ? null : id.value(),
                fill.venueOrderId(),
                fill.account(),
                fill.symbol(),
                fill.side(),
                fill.quantity().toString(),
                fill.price().toString(),
                FeeView.of(fill.fee()),
                fill.at(),
                fill.busted());
    }

    /** The rows as CSV. */
    static String csv(List<AccountFillView> fills, boolean withHeader) {
        CsvText csv = new CsvText();
        if (withHeader) {
            csv.line(HEADER);
        }
        fills.forEach(fill -> csv.line(Arrays.asList(
                fill.executionId,
                fill.clientOrderId,
                fill.venueOrderId,
                fill.account,
                fill.symbol,
                fill.side == Side.BUY ? "buy" : "sell",
                fill.quantity,
                fill.price,
                fill.fee == null ? null : fill.fee.amount(),
                fill.fee == null ? null : fill.fee.currency(),
                fill.at,
                fill.busted)));
        return csv.toString();
    }
}
