package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.untrusted.ValueCheck;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of Alpaca's JSON. What Berth cannot calculate with or store is an
 * {@link IllegalArgumentException}, as what is missing.
 */
final class AlpacaFields {
    /** More than any id, number or status has. */
    private static final int LONGEST_TEXT = 256;

    /** Writing out a large exponent would take the memory. */
    private static final int MOST_DIGITS = 40;

    private AlpacaFields() {}

    /** Alpaca writes numbers as strings; null is no text. */
    static String text(JsonNode object, String field) {
        JsonNode value = object.required(field);
        if (!value.isTextual()
                || value.textValue().isBlank()
                || value.textValue().length() > LONGEST_TEXT
                || ValueCheck.fault(field, value.textValue()).isPresent()) {
            throw new IllegalArgumentException(field + " is no text");
        }
        return value.textValue();
    }

    static Decimal number(JsonNode object, String field) {
        JsonNode value = object.required(field);
        BigDecimal number = value.isNumber() ? value.decimalValue() : new BigDecimal(text(object, field));
        if (number.precision() > MOST_DIGITS || number.scale() > MOST_DIGITS || number.scale() < -MOST_DIGITS) {
            throw new IllegalArgumentException(field + " has too many digits");
        }
        return Decimal.of(Decimal.rounded(number).toString());
    }

    /** As {@link #number}, but it may be negative. */
    static SignedDecimal signed(JsonNode object, String field) {
        JsonNode value = object.required(field);
        String text = value.isNumber() ? value.decimalValue().toString() : text(object, field);
        boolean isNegative = text.startsWith("-");
        Decimal size =
                number(JsonNodeFactory.instance.objectNode().put(field, isNegative ? text.substring(1) : text), field);
        return new SignedDecimal(isNegative ? size.value().negate() : size.value());
    }

    static Instant time(JsonNode object, String field) {
        try {
            Instant time = Instant.parse(text(object, field));
            if (ValueCheck.fault(field, time).isEmpty()) {
                return time;
            }
        } catch (DateTimeException noTime) {
            // As one that is out of range.
        }
        throw new IllegalArgumentException(field + " is no time");
    }

    /** Null when it cannot be read. */
    static <T> @Nullable T optional(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException unreadable) {
            return null;
        }
    }
}
