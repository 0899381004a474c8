package dev.berth.workflows.pool;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When an exchange trades: on some days of the week from {@code opens} to {@code closes}, except on
 * special days. A session begins and ends on one day at the exchange.
 *
 * @param exchange its market identifier code (ISO 10383), such as {@code XNYS}
 * @param first no day before it is known
 * @param last no day after it is known
 * @param specialDays holidays and early closes
 */
public record ExchangeCalendar(
        String exchange,
        ZoneId zone,
        Set<DayOfWeek> days,
        LocalTime opens,
        LocalTime closes,
        LocalDate first,
        LocalDate last,
        Map<LocalDate, SpecialDay> specialDays) {

    /**
     * A holiday or an early close.
     *
     * @param closes null on a day without trading
     */
    public record SpecialDay(@Nullable LocalTime closes, String name) {}

    public ExchangeCalendar {
        days = Set.copyOf(days);
        specialDays = Map.copyOf(specialDays);
        require(opens.isBefore(closes), exchange + " opens at " + opens + ", which is not before " + closes);
        require(!last.isBefore(first), exchange + " ends on " + last + ", before " + first);
        for (var special : specialDays.entrySet()) {
            LocalDate date = special.getKey();
            LocalTime early = special.getValue().closes();
            require(!date.isBefore(first) && !date.isAfter(last), date + " is not between " + first + " and " + last);
            require(days.contains(date.getDayOfWeek()), date + " is a " + date.getDayOfWeek() + ", without trading");
            require(
                    early == null || (early.isAfter(opens) && early.isBefore(closes)),
                    date + " closes at " + early + ", which is not between " + opens + " and " + closes);
        }
    }

    /**
     * Reads the lines of a calendar file; {@code docs/pool-and-sweep.md} describes them.
     *
     * @throws IllegalArgumentException when a line or the whole is no calendar; names the line or
     *     the day
     */
    public static ExchangeCalendar parse(List<String> lines) {
        return CalendarLines.parse(lines);
    }

    /** The session of this day; empty when there is none, or the day is not known. */
    public Optional<TradingSession> session(LocalDate date) {
        SpecialDay special = specialDays.get(date);
        boolean isClosed = special != null && special.closes() == null;
        if (isClosed || !isKnown(date) || !days.contains(date.getDayOfWeek())) {
            return Optional.empty();
        }
        LocalTime end = special == null || special.closes() == null ? closes : special.closes();
        return Optional.of(new TradingSession(
                exchange, date, at(date, opens), at(date, end), special == null ? null : special.name()));
    }

    /** The sessions between two times, those under way included. */
    Stream<TradingSession> sessions(Instant from, Instant until) {
        return days(dateAt(from), dateAt(until))
                .flatMap(date -> session(date).stream())
                .filter(session ->
                        session.closes().isAfter(from) && session.opens().isBefore(until));
    }

    /** The session that is under way or comes next; empty at the calendar's end. */
    public Optional<TradingSession> next(Instant now) {
        return sessions(now, at(last.plusDays(1), LocalTime.MIN)).findFirst();
    }

    /** The last session on an earlier day; empty at the calendar's start. */
    Optional<TradingSession> before(LocalDate date) {
        return Stream.iterate(date.minusDays(1), day -> !day.isBefore(first), day -> day.minusDays(1))
                .flatMap(day -> session(day).stream())
                .findFirst();
    }

    /** The holidays between two days, by date. */
    Map<LocalDate, String> holidays(LocalDate from, LocalDate until) {
        Map<LocalDate, String> holidays = new TreeMap<>();
        specialDays.forEach((date, special) -> {
            if (special.closes() == null && !date.isBefore(from) && !date.isAfter(until)) {
                holidays.put(date, special.name());
            }
        });
        return holidays;
    }

    /** Days from today to the last known day; negative when the calendar has ended. */
    public long daysLeft(Instant now) {
        return ChronoUnit.DAYS.between(dateAt(now), last);
    }

    LocalDate dateAt(Instant time) {
        return time.atZone(zone).toLocalDate();
    }

    private Stream<LocalDate> days(LocalDate from, LocalDate until) {
        LocalDate begin = from.isBefore(first) ? first : from;
        LocalDate end = until.isAfter(last) ? last : until;
        return begin.isAfter(end) ? Stream.empty() : begin.datesUntil(end.plusDays(1));
    }

    private boolean isKnown(LocalDate date) {
        return !date.isBefore(first) && !date.isAfter(last);
    }

    private Instant at(LocalDate date, LocalTime time) {
        return date.atTime(time).atZone(zone).toInstant();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException("No exchange calendar: " + otherwise);
        }
    }
}
