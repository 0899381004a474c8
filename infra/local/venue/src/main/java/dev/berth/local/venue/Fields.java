package dev.berth.local.venue;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a request's JSON object. Invalid values are a {@link VenueRefusal}. */
record Fields(JsonNode json) {

    /** The maximal digits of a decimal, before and after the point. */
    private static final int WHOLE_DIGITS = 18;

    private static final int DECIMALS = 9;

    /** @throws VenueRefusal if this is not a JSON object */
    static Fields of(String body) {
        return new Fields(VenueJson.object(body));
    }

    /** Null if absent, JSON null or empty. */
    @Nullable
    String text(String name) {
        var value = json.path(name).asText("");
        return value.isEmpty() || json.path(name).isNull() ? null : value;
    }

    String requireText(String name) {
        return required(name, text(name));
    }

    /** From a string or a number; null if absent. */
    @Nullable
    BigDecimal decimal(String name) {
        var text = text(name);
        return text == null ? null : parse(name, text);
    }

    BigDecimal requireDecimal(String name) {
        return required(name, decimal(name));
    }

    /** False if absent. */
    boolean flag(String name) {
        var value = json.path(name);
        if (!value.isBoolean() && !value.isMissingNode() && !value.isNull()) {
            throw VenueRefusal.invalid("invalid " + name + " \"" + value.asText() + "\"");
        }
        return value.asBoolean();
    }

    /** A constant by its JSON name; null if absent. */
    <E extends Enum<E>> @Nullable E word(String name, Class<E> type) {
        var text = text(name);
        if (text == null) {
            return null;
        }
        try {
            return VenueJson.MAPPER.convertValue(text, type);
        } catch (IllegalArgumentException e) {
            throw VenueRefusal.invalid("invalid " + name + " \"" + text + "\"");
        }
    }

    <E extends Enum<E>> E requireWord(String name, Class<E> type) {
        return required(name, word(name, type));
    }

    private static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw VenueRefusal.invalid(name + " is required");
        }
        return value;
    }

    /** @throws VenueRefusal if this is no decimal, or has too many digits */
    static BigDecimal parse(String name, String text) {
        try {
            var value = new BigDecimal(text).stripTrailingZeros();
            if (value.precision() - value.scale() <= WHOLE_DIGITS && value.scale() <= DECIMALS) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw VenueRefusal.invalid("invalid " + name + " \"" + text + "\"");
        }
        throw VenueRefusal.invalid(name + " has too many digits");
    }
}
