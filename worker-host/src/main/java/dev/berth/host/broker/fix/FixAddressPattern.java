package dev.berth.host.broker.fix;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counterparties that accounts may name.
 *
 * @param host a name, or {@code *.} and the end of names
 */
public record FixAddressPattern(String host, int port) {
    private static final String ANY = "*.";
    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*");

    /**
     * A list, separated by commas.
     *
     * @throws IllegalArgumentException naming the variable
     */
    static List<FixAddressPattern> parse(String name, String text) {
        return Stream.of(SEPARATOR.split(text.strip()))
                .filter(one -> !one.isEmpty())
                .map(one -> {
                    boolean isAny = one.startsWith(ANY);
                    FixAddress address = FixAddress.parse(name, isAny ? one.substring(ANY.length()) : one);
                    return new FixAddressPattern((isAny ? ANY : "") + address.host(), address.port());
                })
                .toList();
    }

    boolean matches(FixAddress address) {
        return address.port() == port
                && (host.startsWith(ANY)
                        ? address.host().endsWith(host.substring(1))
                        : address.host().equals(host));
    }
}
