package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The id that a user gives an order (FIX ClOrdID), unique for that user:
 * {@code [A-Za-z0-9._-]{1,64}}, but neither {@code .} nor {@code ..}: clients resolve such a
 * segment of a path (RFC 3986, 5.2.4), so the order would be out of reach.
 */
public record ClientOrderId(@JsonValue String value) {
    private static final Pattern FORM = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ClientOrderId {
        if (!isClientOrderId(value)) {
            throw new IllegalArgumentException(
                    "A client order id is 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore and hyphen,"
                            + " and neither . nor ..");
        }
    }

    /** Empty for what is no client order id. */
    public static Optional<ClientOrderId> parse(String text) {
        return isClientOrderId(text) ? Optional.of(new ClientOrderId(text)) : Optional.empty();
    }

    private static boolean isClientOrderId(String text) {
        return FORM.matcher(text).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
