package dev.berth.local.venue;

import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which orders {@code GET /v2/orders} shows.
 *
 * @param status open, closed or all
 * @param limit 1 to 500
 * @param symbols empty for every symbol
 * @param after submitted after this time, not at it
 * @param until submitted until this time, or at it
 */
record VenueOrderQuery(
        String status,
        int limit,
        Set<String> symbols,
        @Nullable VenueSide side,
        boolean oldestFirst,
        @Nullable Instant after,
        @Nullable Instant until) {

    private static final int DEFAULT_LIMIT = 50;
    private static final int MOST = 500;

    /** @throws VenueRefusal if a parameter makes no sense */
    static VenueOrderQuery of(Context ctx) {
        return new VenueOrderQuery(
                oneOf(ctx, "status", "open", "closed", "all"),
                limit(ctx.queryParam("limit")),
                symbols(ctx.queryParam("symbols")),
                side(ctx.queryParam("side")),
                oneOf(ctx, "direction", "desc", "asc").equals("asc"),
                time(ctx, "after"),
                time(ctx, "until"));
    }

    /** @param oldestFirst all orders of an account */
    Stream<VenueOrder> select(List<VenueOrder> oldestFirst) {
        return (this.oldestFirst ? oldestFirst : oldestFirst.reversed())
                .stream().filter(this::shows).limit(limit);
    }

    private boolean shows(VenueOrder order) {
        var submitted = order.createdAt();
        return (status.equals("all") || status.equals("open") == order.status().open())
                && (symbols.isEmpty() || symbols.contains(order.terms().symbol()))
                && (side == null || side == order.terms().side())
                && (after == null || submitted.isAfter(after))
                && (until == null || !submitted.isAfter(until));
    }

    /** The first value is the default. */
    private static String oneOf(Context ctx, String name, String... words) {
        var given = ctx.queryParam(name);
        if (given == null || given.isEmpty()) {
            return words[0];
        }
        if (!Arrays.asList(words).contains(given)) {
            throw VenueRefusal.invalid("invalid " + name + " \"" + given + "\"");
        }
        return given;
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) == 0) {
            throw VenueRefusal.invalid("invalid limit \"" + text + "\"");
        }
        return Math.min(Integer.parseInt(text), MOST);
    }

    private static Set<String> symbols(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return Set.of();
        }
        return Arrays.stream(text.split(",", -1))
                .map(symbol -> symbol.strip().toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private static @Nullable VenueSide side(@Nullable String text) {
        return new Fields(VenueJson.MAPPER.createObjectNode().put("side", text)).word("side", VenueSide.class);
    }

    /** A moment with its offset, or a date, which starts at midnight UTC. */
    private static @Nullable Instant time(Context ctx, String name) {
        var text = ctx.queryParam(name);
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return text.contains("T")
                    ? OffsetDateTime.parse(text.replace(' ', '+')).toInstant()
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException e) {
            throw VenueRefusal.invalid("invalid " + name + " \"" + text + "\"");
        }
    }
}
