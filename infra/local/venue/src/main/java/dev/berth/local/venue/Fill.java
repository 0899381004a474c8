package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One execution: {@code qty} shares at {@code price} US dollars each.
 *
 * @param fee in what the order received, see {@link CryptoFees}; null without one
 */
record Fill(
        @JsonProperty("execution_id") UUID executionId,
        BigDecimal qty,
        BigDecimal price,
        Instant time,
        @Nullable BigDecimal fee) {

    /** What the execution adds to the position of the account. */
    BigDecimal positionChange(VenueSide side) {
        return side == VenueSide.BUY ? qty.subtract(knownFee()) : qty.negate();
    }

    /** What the execution adds to the cash of the account, US dollars. */
    BigDecimal cashChange(VenueSide side) {
        var value = qty.multiply(price);
        return side == VenueSide.BUY ? value.negate() : value.subtract(knownFee());
    }

    private BigDecimal knownFee() {
        return Objects.requireNonNullElse(fee, BigDecimal.ZERO);
    }
}
