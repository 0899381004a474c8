package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.activities.account.AccountReadModel.Reported;
import dev.berth.workflows.account.AccountPosition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an account holds, without what it holds nothing of.
 *
 * @param asOf the broker answered later than this
 */
public record PositionsView(Instant asOf, List<PositionView> items) {

    /**
     * One position. Amounts are decimal strings.
     *
     * @param quantity negative when short
     * @param availableQuantity not held by orders that would close the position
     * @param marketValue null when the broker does not tell
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record PositionView(
            String symbol,
            String assetClass,
            String quantity,
            String availableQuantity,
            String averageEntryPrice,
            String currency,
            @Nullable String marketValue) {
        private static PositionView of(AccountPosition position) {
            return new PositionView(
                    position.symbol(),
                    position.assetClass(),
                    position.quantity().toString(),
                    position.availableQuantity().toString(),
                    position.averageEntryPrice().toString(),
                    position.currency(),
                    Objects.toString(position.marketValue(), null));
        }
    }

    /** As its user sees it. */
    public static PositionsView of(Reported<List<AccountPosition>> reported) {
        return new PositionsView(
                reported.asOf(),
                reported.content().stream().map(PositionView::of).toList());
    }
}
