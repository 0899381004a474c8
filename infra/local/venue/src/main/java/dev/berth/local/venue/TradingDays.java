package dev.berth.local.venue;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;

/** When shares trade regularly: on weekdays, New York's time. The venue has no holidays. */
final class TradingDays {

    static final LocalTime OPEN = LocalTime.of(9, 30);
    static final LocalTime CLOSE = LocalTime.of(16, 0);

    private TradingDays() {}

    static boolean isTradingDay(LocalDate date) {
        return date.getDayOfWeek() != DayOfWeek.SATURDAY && date.getDayOfWeek() != DayOfWeek.SUNDAY;
    }

    static LocalDate dayAfter(LocalDate date) {
        var next = date.plusDays(1);
        return isTradingDay(next) ? next : dayAfter(next);
    }

    /** The first {@code time} of a trading day after {@code moment}. */
    static ZonedDateTime next(LocalTime time, Instant moment) {
        var date = NewYork.date(moment);
        var today = date.atTime(time).atZone(NewYork.ZONE);
        return isTradingDay(date) && today.toInstant().isAfter(moment)
                ? today
                : dayAfter(date).atTime(time).atZone(NewYork.ZONE);
    }
}
