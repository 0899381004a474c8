package dev.berth.host.broker.venueid;

import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Side;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An order of an account as its broker shows it, made here or elsewhere.
 *
 * @param tag that was sent with it; null when the broker shows none
 * @param acceptedAt by the broker's clock
 * @param report of version 0
 */
public record ListedOrder(
        String venueOrderId,
        @Nullable String tag,
        String symbol,
        Side side,
        OrderTerms terms,
        Instant acceptedAt,
        ExecutionReport report) {

    /** Whether it is one of these terms. */
    boolean has(String ofSymbol, Side ofSide, OrderTerms ofTerms) {
        return symbol.equals(ofSymbol) && side == ofSide && terms.equals(ofTerms);
    }

    /** Whether the report says what the earlier one did not. */
    boolean differsFrom(@Nullable ExecutionReport earlier) {
        return earlier == null
                || earlier.status() != report.status()
                || !earlier.venueStatus().equals(report.venueStatus())
                || !earlier.filledQuantity().equals(report.filledQuantity())
                || !Objects.equals(earlier.averagePrice(), report.averagePrice());
    }
}
