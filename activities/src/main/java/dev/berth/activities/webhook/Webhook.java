package dev.berth.activities.webhook;

import dev.berth.workflows.webhook.WebhookOwner;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where its owner wants to be told, and of what.
 *
 * @param events of {@link #events(WebhookOwner)}
 */
public record Webhook(WebhookOwner owner, String name, URI url, List<String> events) {
    /** An alarm of the monitoring fires; repeated as Alertmanager repeats it. */
    public static final String ALARM_FIRING = "alarm.firing";
    /** It is over. */
    public static final String ALARM_RESOLVED = "alarm.resolved";

    /** An order is final; it failed for good; it needs a person. */
    private static final List<String> OF_ORDERS = List.of("order.final", "order.failed", "order.attention");

    /** Not every order that is final: one receiver that hangs would hold up all other messages. */
    private static final List<String> OF_FLEET = List.of(
            "order.failed", "order.attention", "worker.attention", "kill_switch.changed", ALARM_FIRING, ALARM_RESOLVED);

    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}");
    private static final int MAX_URL = 2_000;
    /** The limit of DNS. The audit keeps it, in rows that stay for ever. */
    private static final int MAX_HOST = 253;

    /** @throws IllegalArgumentException when a part is not valid; the message says what is */
    public Webhook {
        events = List.copyOf(events);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name is 1 to 64 letters, digits, dots, underscores or hyphens, and neither . nor ..");
        }
        boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
        if (!isHttp || url.getHost() == null || url.getRawUserInfo() != null || url.getFragment() != null) {
            throw new IllegalArgumentException("url is an https address without user or fragment.");
        }
        if (url.getHost().length() > MAX_HOST) {
            throw new IllegalArgumentException("url has a host of at most " + MAX_HOST + " characters.");
        }
        if (url.toString().length() > MAX_URL || !url.toString().equals(url.toASCIIString())) {
            throw new IllegalArgumentException("url has at most " + MAX_URL + " ASCII characters.");
        }
        List<String> known = events(owner);
        if (events.isEmpty() || !known.containsAll(events)) {
            throw new IllegalArgumentException("events are one or more of " + String.join(", ", known) + ".");
        }
    }

    /** What this owner can be told: a user of the own orders, the operators of all users'. */
    public static List<String> events(WebhookOwner owner) {
        return owner.equals(WebhookOwner.FLEET) ? OF_FLEET : OF_ORDERS;
    }
}
