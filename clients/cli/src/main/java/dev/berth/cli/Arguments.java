package dev.berth.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks arguments before the API is called, so that a mistake ends with "wrong usage". */
final class Arguments {
    private static final Pattern USER = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern ORDER = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}");
    private static final Pattern ORDER_KEY = Pattern.compile(USER + ":" + ORDER);
    private static final Pattern VENUE_ORDER = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,128}");
    private static final Pattern ACCOUNT =
            Pattern.compile("[A-Za-z0-9_-]{1,64}/[A-Za-z0-9_-]{1,64}/(paper|live)/[A-Za-z0-9_-]{1,64}");
    private static final Pattern SYMBOL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9./:_-]{0,31}");
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final Pattern BROKER = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern GROUP = Pattern.compile("[a-z][a-z0-9-]{0,29}");
    private static final Pattern HEAD = Pattern.compile("[0-9a-f]{64}:[0-9a-f]{64}");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern QUERY_VALUE = Pattern.compile("[A-Za-z0-9_.:+-]+");

    private Arguments() {}

    static String user(String value) {
        return check(value, USER, "is no user id");
    }

    static String order(String value) {
        return check(value, ORDER, "is no order id");
    }

    static String webhook(String value) {
        return check(value, ORDER, "a webhook's name is up to 64 letters, digits, dots, underscores or hyphens");
    }

    /** An order and its user, as the API names both. */
    static String orderKey(String value) {
        return check(value, ORDER_KEY, "is no USER:ORDER");
    }

    static String venueOrder(String value) {
        return check(value, VENUE_ORDER, "is no venue's id of an order");
    }

    static String symbol(String value) {
        return check(value, SYMBOL, "is no symbol");
    }

    static String idempotencyKey(String value) {
        return check(value, KEY, "is no key: up to 255 characters of ASCII without spaces");
    }

    static String account(String value) {
        return check(value, ACCOUNT, "is no account: BROKER/MARKET/ENVIRONMENT/ACCOUNT, with paper or live");
    }

    /** A day in UTC. */
    static String date(String value) {
        return check(value, DATE, "is no date such as 2026-11-30");
    }

    static String broker(String value) {
        return check(value, BROKER, "is no broker");
    }

    static String group(String value) {
        return check(value, GROUP, "is no name of a group");
    }

    static String head(String value) {
        return check(value, HEAD, "is no head: two hashes of 64 hexadecimal digits, joined by a colon");
    }

    /** The API refuses control characters in a reason. */
    static String reason(@Nullable String value, String whyNeeded) {
        if (value == null || value.isBlank()) {
            throw CommandFailure.wrongUsage(whyNeeded + ": --reason R");
        }
        return value.replaceAll("\\p{Cntrl}", " ");
    }

    /** {@code name=value} for a query; nothing without a value. */
    static String query(String name, @Nullable String value) {
        if (value == null) {
            return "";
        }
        check(value, QUERY_VALUE, "is no value of --" + name);
        return "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** The same for any text, such as the subject of a token. */
    static String anyQuery(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static String check(String value, Pattern pattern, String complaint) {
        if (!pattern.matcher(value).matches()) {
            throw CommandFailure.wrongUsage("'%s' %s.".formatted(value, complaint));
        }
        return value;
    }
}
