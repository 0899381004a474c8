package dev.berth.host.broker.fix;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Host and port of a counterparty. */
public record FixAddress(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?<host>[A-Za-z0-9.-]{1,253}):(?<port>[0-9]{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}");
    private static final int HIGHEST_PORT = 65_535;

    public FixAddress {
        host = host.toLowerCase(Locale.ROOT);
        if (port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("a port is 1 to " + HIGHEST_PORT);
        }
    }

    /** @throws IllegalArgumentException naming the variable */
    static FixAddress parse(String name, String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group("port")) > HIGHEST_PORT) {
            throw new IllegalArgumentException(name + " is a host and a port, such as fix.broker.example:9880.");
        }
        return new FixAddress(parts.group("host"), Integer.parseInt(parts.group("port")));
    }

    boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }
}
