package dev.berth.workflows.risk;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.berth.workflows.Decimal;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What the orders of one account may be; what is absent is not limited.
 *
 * @param maxQuantity of one order
 * @param maxNotional quantity times price of one order, in the currency of the price
 * @param priceCollar how far a price may be from the market, as a fraction: 0.05 is 5 %
 * @param ordersPerSecond so many at once, and so many a second after that
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RiskLimits(
        @Nullable Decimal maxQuantity,
        @Nullable Decimal maxNotional,
        @Nullable Decimal priceCollar,
        @Nullable Integer ordersPerSecond) {
    public static final RiskLimits NONE = new RiskLimits(null, null, null, null);

    private static final int MOST_PER_SECOND = 10_000;

    public RiskLimits {
        require(maxQuantity == null || maxQuantity.isPositive(), "maxQuantity must be greater than 0.");
        require(maxNotional == null || maxNotional.isPositive(), "maxNotional must be greater than 0.");
        require(
                priceCollar == null
                        || (priceCollar.isPositive() && priceCollar.value().compareTo(BigDecimal.ONE) < 0),
                "priceCollar is a fraction between 0 and 1, such as 0.05 for 5 %.");
        require(
                ordersPerSecond == null || (ordersPerSecond >= 1 && ordersPerSecond <= MOST_PER_SECOND),
                "ordersPerSecond must be between 1 and " + MOST_PER_SECOND + ".");
    }

    /** Whether any limit needs a quote of the symbol. */
    @JsonIgnore
    public boolean isNeedingQuotes() {
        return maxNotional != null || priceCollar != null;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
