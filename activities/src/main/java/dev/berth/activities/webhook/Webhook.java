package dev.berth.activities.webhook;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a user wants to be told, and of what.
 *
 * @param events of {@link #EVENTS}
 */
public record Webhook(String name, URI url, List<String> events) {
    /** An order is final; it failed for good; it needs a person. */
    public static final List<String> EVENTS = List.of("order.final", "order.failed", "order.attention");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int MAX_URL = 2_000;

    /** @throws IllegalArgumentException when a part is not valid; the message says what is */
    public Webhook {
        events = List.copyOf(events);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name is 1 to 64 letters, digits, dots, underscores or hyphens.");
        }
        boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
        if (!isHttp || url.getHost() == null || url.getRawUserInfo() != null || url.getFragment() != null) {
            throw new IllegalArgumentException("url is an https address without user or fragment.");
        }
        if (url.toString().length() > MAX_URL || !url.toString().equals(url.toASCIIString())) {
            throw new IllegalArgumentException("url has at most " + MAX_URL + " ASCII characters.");
        }
        if (events.isEmpty() || !EVENTS.containsAll(events)) {
            throw new IllegalArgumentException("events are one or more of " + String.join(", ", EVENTS) + ".");
        }
    }
}
