package dev.berth.local.venue;

import io.javalin.http.Context;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which account activities a request shows.
 *
 * @param types empty for every type
 * @param date in New York; not together with {@code after} or {@code until}
 * @param after later than this
 * @param until earlier than this
 * @param pageSize 1 to 100
 * @param pageToken the id of the last activity of the page before
 */
record ActivityQuery(
        List<String> types,
        @Nullable UUID orderId,
        @Nullable LocalDate date,
        @Nullable Instant after,
        @Nullable Instant until,
        boolean oldestFirst,
        int pageSize,
        @Nullable String pageToken) {

    private static final int MAX_PAGE_SIZE = 100;

    ActivityQuery {
        if (date != null && (after != null || until != null)) {
            throw VenueRefusal.invalid("date cannot be used with after or until");
        }
    }

    /** @throws VenueRefusal if a parameter makes no sense */
    static ActivityQuery of(Context ctx, List<String> types) {
        types.forEach(ActivityTypes::require);
        return new ActivityQuery(
                types,
                orderId(QueryParams.text(ctx, "order_id")),
                QueryParams.date(ctx, "date"),
                QueryParams.time(ctx, "after"),
                QueryParams.time(ctx, "until"),
                QueryParams.oneOf(ctx, "direction", "desc", "asc").equals("asc"),
                pageSize(QueryParams.text(ctx, "page_size")),
                QueryParams.text(ctx, "page_token"));
    }

    /**
     * @param oldestFirst all activities of an account
     * @throws VenueRefusal if none of them has the page token as its id
     */
    Stream<VenueActivity> select(List<VenueActivity> oldestFirst) {
        var ordered = this.oldestFirst ? oldestFirst : oldestFirst.reversed();
        return ordered.stream().skip(pageStart(ordered)).filter(this::shows).limit(pageSize);
    }

    private long pageStart(List<VenueActivity> ordered) {
        if (pageToken == null) {
            return 0;
        }
        int last = ordered.stream().map(VenueActivity::id).toList().indexOf(pageToken);
        if (last < 0) {
            throw QueryParams.invalid("page_token", pageToken);
        }
        return last + 1L;
    }

    private boolean shows(VenueActivity activity) {
        return ActivityTypes.shows(types, activity.type())
                && (orderId == null || orderId.equals(activity.orderId()))
                && (date == null || date.equals(activity.date()))
                && (after == null || activity.time().isAfter(after))
                && (until == null || activity.time().isBefore(until));
    }

    private static int pageSize(@Nullable String text) {
        if (text == null) {
            return MAX_PAGE_SIZE;
        }
        if (!text.matches("[1-9]\\d{0,2}") || Integer.parseInt(text) > MAX_PAGE_SIZE) {
            throw QueryParams.invalid("page_size", text);
        }
        return Integer.parseInt(text);
    }

    private static @Nullable UUID orderId(@Nullable String text) {
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw QueryParams.invalid("order_id", text);
        }
    }
}
