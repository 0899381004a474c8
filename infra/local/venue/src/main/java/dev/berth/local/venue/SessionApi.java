package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The session and its control, the clock and the calendar. */
final class SessionApi {

    private static final DateTimeFormatter HOURS = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    /** The days of Alpaca's calendar. */
    private static final LocalDate FIRST_DAY = LocalDate.of(1970, 1, 1);

    private static final LocalDate LAST_DAY = LocalDate.of(2029, 12, 31);

    private final Exchange exchange;
    private final SessionControl sessions;
    private final InstantSource clock;

    SessionApi(Exchange exchange, SessionControl sessions, InstantSource clock) {
        this.exchange = exchange;
        this.sessions = sessions;
        this.clock = clock;
    }

    void register(RoutesConfig routes) {
        routes.get("/_control/session", ctx -> Http.answer(ctx, 200, session()));
        routes.put("/_control/session", ctx -> ControlApi.change(ctx, this::setSession));
        routes.get("/v2/clock", this::clock);
        routes.get("/v2/calendar", this::calendar);
    }

    private ObjectNode session() {
        return exchange.read(book -> {
            var json = VenueJson.MAPPER.createObjectNode();
            json.putPOJO("session", book.session());
            json.putPOJO("now", SessionControl.now(book, clock));
            return json;
        });
    }

    /** {@code {"session", "now"}}; without {@code now} the clock shows the real time. */
    private ObjectNode setSession(Context ctx) {
        var form = Fields.of(ctx.body());
        sessions.set(form.requireWord("session", VenueSession.class), time(form.text("now")));
        return session();
    }

    private static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("invalid now \"" + text + "\"", e);
        }
    }

    private void clock(Context ctx) {
        Http.account(ctx, exchange);
        var json = exchange.read(book -> {
            boolean open = book.session() == VenueSession.REGULAR;
            return clock(SessionControl.now(book, clock), open);
        });
        Http.answer(ctx, 200, json);
    }

    /** The next open is before the next close exactly when the market is not open. */
    private static ObjectNode clock(Instant now, boolean open) {
        var first = TradingDays.next(open ? TradingDays.CLOSE : TradingDays.OPEN, now);
        var second = TradingDays.next(open ? TradingDays.OPEN : TradingDays.CLOSE, first.toInstant());
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("timestamp", text(now.atZone(NewYork.ZONE)));
        json.put("is_open", open);
        json.put("next_open", text(open ? second : first));
        json.put("next_close", text(open ? first : second));
        return json;
    }

    private static String text(ZonedDateTime time) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
    }

    private void calendar(Context ctx) {
        Http.account(ctx, exchange);
        var start = Objects.requireNonNullElse(QueryParams.date(ctx, "start"), FIRST_DAY);
        var end = Objects.requireNonNullElse(QueryParams.date(ctx, "end"), LAST_DAY);
        if (end.isBefore(start)) {
            throw VenueRefusal.invalid("end must not be before start");
        }
        var days = latest(start, FIRST_DAY)
                .datesUntil(latest(earliest(end, LAST_DAY).plusDays(1), FIRST_DAY));
        Http.answer(
                ctx,
                200,
                days.filter(TradingDays::isTradingDay).map(SessionApi::day).toList());
    }

    private static LocalDate latest(LocalDate one, LocalDate other) {
        return one.isAfter(other) ? one : other;
    }

    private static LocalDate earliest(LocalDate one, LocalDate other) {
        return one.isBefore(other) ? one : other;
    }

    private static ObjectNode day(LocalDate date) {
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("date", date.toString());
        json.put("open", hours(TradingDays.OPEN));
        json.put("close", hours(TradingDays.CLOSE));
        json.put("session_open", "0400");
        json.put("session_close", "2000");
        json.put("settlement_date", TradingDays.dayAfter(date).toString());
        return json;
    }

    private static String hours(LocalTime time) {
        return HOURS.format(time);
    }
}
