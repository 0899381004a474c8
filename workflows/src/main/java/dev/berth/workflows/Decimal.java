package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A quantity or price: plain notation, at most 18 digits before and 9 after the point, never
 * negative. Stored without trailing zeros, so that equal values are equal objects ({@code 1.50} is
 * {@code 1.5}).
 */
public record Decimal(BigDecimal value) implements Comparable<Decimal> {
    public static final int FRACTION_DIGITS = 9;
    public static final Decimal ZERO = new Decimal(BigDecimal.ZERO);
    /** More cannot be written. */
    private static final BigDecimal MAX = new BigDecimal("999999999999999999.999999999");

    private static final Pattern PLAIN = Pattern.compile("\\d{1,18}(\\.\\d{1,9})?");

    public Decimal {
        value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    /**
     * Reads plain notation.
     *
     * @throws IllegalArgumentException when the text is no plain decimal of the allowed size
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Decimal of(String text) {
        if (!PLAIN.matcher(text).matches()) {
            throw new IllegalArgumentException("A decimal is written plainly, such as 12 or 0.25,"
                    + " with at most 18 digits before and 9 after the point, and is not negative.");
        }
        return new Decimal(new BigDecimal(text));
    }

    /** A sum, or the most that can be written: what a venue reports may add up to more. */
    public static Decimal sum(BigDecimal exact) {
        return new Decimal(exact.min(MAX));
    }

    /**
     * The nearest of those with 9 digits after the point; of two that are as near, the even one.
     */
    public static Decimal rounded(BigDecimal exact) {
        return new Decimal(exact.setScale(FRACTION_DIGITS, RoundingMode.HALF_EVEN));
    }

    /** The price of one, rounded; null when nothing was paid for. */
    public static @Nullable Decimal average(BigDecimal cost, BigDecimal quantity) {
        return quantity.signum() == 0
                ? null
                : new Decimal(cost.divide(quantity, FRACTION_DIGITS, RoundingMode.HALF_EVEN));
    }

    public boolean isPositive() {
        return value.signum() > 0;
    }

    @Override
    public int compareTo(Decimal other) {
        return value.compareTo(other.value);
    }

    @Override
    @JsonValue
    public String toString() {
        return value.toPlainString();
    }
}
