package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions of an exchange, and the form of its file. */
class ExchangeCalendarTest {
    private static final List<String> LINES = List.of(
            "# an exchange that trades on Sundays",
            "exchange XTAE",
            "zone Asia/Jerusalem",
            "days SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY",
            "session 09:30 17:30",
            "first 2026-01-01",
            "last 2026-12-31",
            "",
            "2026-04-01 14:00 Passover Eve",
            "2026-04-02 closed Passover");

    @ParameterizedTest
    @Tag("X14")
    @DisplayName("A session keeps its local hours when daylight-saving time begins or ends")
    @CsvSource({
        "XNYS, 2026-03-06, 2026-03-06T14:30:00Z, 2026-03-06T21:00:00Z",
        "XNYS, 2026-03-09, 2026-03-09T13:30:00Z, 2026-03-09T20:00:00Z",
        "XNYS, 2026-10-30, 2026-10-30T13:30:00Z, 2026-10-30T20:00:00Z",
        "XNYS, 2026-11-02, 2026-11-02T14:30:00Z, 2026-11-02T21:00:00Z",
        "XNYS, 2026-11-27, 2026-11-27T14:30:00Z, 2026-11-27T18:00:00Z",
        "XTAI, 2026-03-09, 2026-03-09T01:00:00Z, 2026-03-09T05:30:00Z",
    })
    void keepsLocalHours(String exchange, LocalDate date, Instant opens, Instant closes) {
        TradingSession session = Calendars.of(exchange).session(date).orElseThrow();
        assertThat(session.opens()).isEqualTo(opens);
        assertThat(session.closes()).isEqualTo(closes);
    }

    @Test
    @Tag("X14")
    @DisplayName("The next session comes after weekends and holidays, and none after the calendar's end")
    void findsNextSession() {
        ExchangeCalendar taipei = Calendars.of("XTAI");
        Instant beforeNewYear = Instant.parse("2026-02-11T05:30:00Z");
        assertThat(taipei.next(beforeNewYear.minusSeconds(1)).orElseThrow().date())
                .isEqualTo("2026-02-11");
        assertThat(taipei.next(beforeNewYear).orElseThrow().date()).isEqualTo("2026-02-23");
        assertThat(taipei.before(LocalDate.parse("2026-02-23")).orElseThrow().date())
                .isEqualTo("2026-02-11");
        assertThat(taipei.before(LocalDate.parse("2026-01-02"))).isEmpty();
        assertThat(taipei.next(Instant.parse("2027-12-30T05:30:00Z"))).isEmpty();
        assertThat(taipei.daysLeft(Instant.parse("2027-12-30T05:30:00Z"))).isEqualTo(1);
        assertThat(taipei.daysLeft(Instant.parse("2027-12-31T16:00:00Z"))).isEqualTo(-1);
        assertThat(taipei.session(LocalDate.parse("2028-01-03"))).isEmpty();
    }

    @Test
    @Tag("X14")
    @DisplayName("A file may have other days of the week, early closes and comments")
    void readsFile() {
        ExchangeCalendar calendar = ExchangeCalendar.parse(LINES);
        assertThat(calendar.session(LocalDate.parse("2026-03-29"))).isPresent();
        assertThat(calendar.session(LocalDate.parse("2026-03-27"))).isEmpty();
        assertThat(calendar.session(LocalDate.parse("2026-04-01")).orElseThrow())
                .isEqualTo(new TradingSession(
                        "XTAE",
                        LocalDate.parse("2026-04-01"),
                        Instant.parse("2026-04-01T06:30:00Z"),
                        Instant.parse("2026-04-01T11:00:00Z"),
                        "Passover Eve"));
    }

    @ParameterizedTest
    @Tag("X14")
    @DisplayName("A line that is wrong, missing, or out of order is refused by name")
    @CsvSource(delimiter = '|', textBlock = """
            2026-04-03 closed Friday     | 2026-04-03 is a FRIDAY, without trading
            2026-04-02 closed again      | line 11 is not after the day before it
            2026-04-31 closed no day     | line 11 Text '2026-04-31' could not be parsed
            2026-04-06 09:00 too early   | 2026-04-06 closes at 09:00, which is not between 09:30 and 17:30
            2027-01-03 closed too late   | 2027-01-03 is not between 2026-01-01 and 2026-12-31
            2026-04-06 maybe             | line 11 is neither a field nor a day
            zone Asia/Taipei             | line 11 is neither a field nor a day
            """)
    void refusesLine(String line, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExchangeCalendar.parse(
                        Stream.concat(LINES.stream(), Stream.of(line)).toList()))
                .withMessageStartingWith("No exchange calendar: " + why);
    }

    @ParameterizedTest
    @Tag("X14")
    @DisplayName("A missing or senseless field is refused")
    @CsvSource(delimiter = '|', textBlock = """
            exchange | exchange #       | the line 'exchange …' is missing
            zone     | zone Mars/Phobos | No exchange calendar: Unknown time-zone ID: Mars/Phobos
            days     | days MOON        | No enum constant
            session  | session 09:30    | a session has two times
            session  | session 17:30 09:30 | XTAE opens at 17:30, which is not before 09:30
            last     | last 2025-12-31  | XTAE ends on 2025-12-31, before 2026-01-01
            """)
    void refusesField(String field, String line, String why) {
        List<String> lines = LINES.stream()
                .map(known -> known.startsWith(field + " ") ? line.replace("exchange #", "") : known)
                .toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExchangeCalendar.parse(lines))
                .withMessageContaining(why);
    }
}
