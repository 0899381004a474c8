package dev.berth.local.venue;

import io.javalin.http.Context;
import java.time.Instant;
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
                QueryParams.oneOf(ctx, "status", "open", "closed", "all"),
                limit(ctx.queryParam("limit")),
                symbols(ctx),
                side(ctx.queryParam("side")),
                QueryParams.oneOf(ctx, "direction", "desc", "asc").equals("asc"),
                QueryParams.time(ctx, "after"),
                QueryParams.time(ctx, "until"));
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

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) == 0) {
            throw VenueRefusal.invalid("invalid limit \"" + text + "\"");
        }
        return Math.min(Integer.parseInt(text), MOST);
    }

    private static Set<String> symbols(Context ctx) {
        return QueryParams.list(ctx, "symbols").stream()
                .map(symbol -> Asset.canonical(symbol.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toSet());
    }

    private static @Nullable VenueSide side(@Nullable String text) {
        return new Fields(VenueJson.MAPPER.createObjectNode().put("side", text)).word("side", VenueSide.class);
    }
}
