package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An amount that may be negative: as {@link Decimal} otherwise, in plain notation with at most 18
 * digits before and 9 after the point, and without trailing zeros.
 */
public record SignedDecimal(BigDecimal value) {
    public static final SignedDecimal ZERO = new SignedDecimal(BigDecimal.ZERO);

    private static final Pattern PLAIN = Pattern.compile("-?\\d{1,18}(\\.\\d{1,9})?");

    public SignedDecimal {
        value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    /**
     * Reads plain notation.
     *
     * @throws IllegalArgumentException when the text is no plain decimal of the allowed size
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static SignedDecimal of(String text) {
        if (!PLAIN.matcher(text).matches()) {
            throw new IllegalArgumentException("An amount is written plainly, such as -12 or 0.25,"
                    + " with at most 18 digits before and 9 after the point.");
        }
        return new SignedDecimal(new BigDecimal(text));
    }

    @Override
    @JsonValue
    public String toString() {
        return value.toPlainString();
    }
}
