package dev.berth.workflows;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The client order id under which a venue knows an order: the user's own for version 0,
 * {@code {clientOrderId}.r{n}} for the nth replacement, since a venue takes an id once.
 */
public record VenueClientOrderId(ClientOrderId order, int version) {
    private static final Pattern REPLACEMENT = Pattern.compile("(.+)\\.r([1-9]\\d{0,5})");

    /**
     * Reads an id that a venue reports.
     *
     * @throws IllegalArgumentException when it is of another form, such as that of an order placed
     *     by hand
     */
    public static VenueClientOrderId parse(String text) {
        Matcher replacement = REPLACEMENT.matcher(text);
        return replacement.matches()
                ? new VenueClientOrderId(
                        new ClientOrderId(replacement.group(1)), Integer.parseInt(replacement.group(2)))
                : new VenueClientOrderId(new ClientOrderId(text), 0);
    }

    /**
     * Whether a user may give an order this id: one that looks like a replacement's could not be
     * distinguished from it.
     */
    public static boolean isFree(ClientOrderId id) {
        return !REPLACEMENT.matcher(id.value()).matches();
    }

    @Override
    public String toString() {
        return version == 0 ? order.value() : order + ".r" + version;
    }
}
