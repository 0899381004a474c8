package dev.berth.local.venue;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** The time zone of the exchange's days. */
final class NewYork {

    static final ZoneId ZONE = ZoneId.of("America/New_York");

    private NewYork() {}

    static LocalDate date(Instant time) {
        return LocalDate.ofInstant(time, ZONE);
    }
}
