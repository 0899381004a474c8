package dev.berth.local.venue;

import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which part of an account's history a request shows, in New York's time. Windows are shown around
 * the clock, as with {@code intraday_reporting=continuous}.
 */
record HistoryQuery(ZonedDateTime start, ZonedDateTime end, HistoryTimeframe timeframe) {

    private static final Pattern PERIOD = Pattern.compile("([1-9]\\d{0,3})([DWMA])");
    private static final String DEFAULT_PERIOD = "1M";

    HistoryQuery {
        if (!start.isBefore(end)) {
            throw VenueRefusal.invalid("start must be before end");
        }
        if (!timeframe.allows(Duration.between(start, end))) {
            throw VenueRefusal.invalid("the period is too long for timeframe " + VenueJson.word(timeframe));
        }
    }

    /** @throws VenueRefusal if a parameter makes no sense */
    static HistoryQuery of(Context ctx, Instant now) {
        var period = QueryParams.text(ctx, "period");
        var start = QueryParams.time(ctx, "start");
        var end = end(ctx);
        if (period != null && start != null && end != null) {
            throw VenueRefusal.invalid("only two of start, end and period may be given");
        }
        var until = (end == null || end.isAfter(now) ? now : end).atZone(NewYork.ZONE);
        var from = start == null
                ? shifted(until, period == null ? DEFAULT_PERIOD : period, -1)
                : start.atZone(NewYork.ZONE);
        if (start != null && period != null) {
            var last = shifted(from, period, 1);
            until = last.isBefore(until) ? last : until;
        }
        return new HistoryQuery(from, until, timeframe(ctx, Duration.between(from, until)));
    }

    private static @Nullable Instant end(Context ctx) {
        var date = QueryParams.date(ctx, "date_end");
        return date == null
                ? QueryParams.time(ctx, "end")
                : date.plusDays(1).atStartOfDay(NewYork.ZONE).toInstant();
    }

    private static ZonedDateTime shifted(ZonedDateTime time, String period, int sign) {
        var matcher = PERIOD.matcher(period);
        if (!matcher.matches()) {
            throw QueryParams.invalid("period", period);
        }
        long count = sign * Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "D" -> time.plusDays(count);
            case "W" -> time.plusWeeks(count);
            case "M" -> time.plusMonths(count);
            default -> time.plusYears(count);
        };
    }

    private static HistoryTimeframe timeframe(Context ctx, Duration history) {
        var given = QueryParams.text(ctx, "timeframe");
        var form = new Fields(VenueJson.MAPPER.createObjectNode().put("timeframe", given));
        var wanted = form.word("timeframe", HistoryTimeframe.class);
        return wanted == null ? HistoryTimeframe.defaultFor(history) : wanted;
    }
}
