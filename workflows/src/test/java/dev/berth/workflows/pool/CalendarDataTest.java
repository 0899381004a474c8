package dev.berth.workflows.pool;

import static java.time.temporal.TemporalAdjusters.dayOfWeekInMonth;
import static java.time.temporal.TemporalAdjusters.lastInMonth;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calendars that Berth brings, against the rules that the exchanges publish. */
class CalendarDataTest {
    private static final LocalTime ONE = LocalTime.of(13, 0);

    @ParameterizedTest
    @Tag("X14")
    @DisplayName("Each calendar has every day of 2026 and 2027, and as many sessions as its exchange")
    @CsvSource({"XNYS, 2026, 251", "XNYS, 2027, 251", "XTAI, 2026, 243", "XTAI, 2027, 242"})
    void countsSessions(String exchange, int year, int sessions) {
        ExchangeCalendar calendar = Calendars.of(exchange);
        assertThat(calendar.exchange()).isEqualTo(exchange);
        assertThat(calendar.first()).isEqualTo("2026-01-01");
        assertThat(calendar.last()).isEqualTo("2027-12-31");
        assertThat(days(year).filter(date -> calendar.session(date).isPresent()))
                .hasSize(sessions);
    }

    @ParameterizedTest
    @Tag("X14")
    @DisplayName("New York's holidays and half days follow the rules of the exchange")
    @CsvSource({"2026, 2026-04-05", "2027, 2027-03-28"})
    void newYorkFollowsExchangeRules(int year, LocalDate easter) {
        LocalDate thanksgiving = in(year, 11).with(dayOfWeekInMonth(4, DayOfWeek.THURSDAY));
        Set<LocalDate> holidays = new TreeSet<>(Set.of(
                in(year, 1).with(dayOfWeekInMonth(3, DayOfWeek.MONDAY)),
                in(year, 2).with(dayOfWeekInMonth(3, DayOfWeek.MONDAY)),
                easter.minusDays(2),
                in(year, 5).with(lastInMonth(DayOfWeek.MONDAY)),
                observed(LocalDate.of(year, 6, 19)),
                observed(LocalDate.of(year, 7, 4)),
                in(year, 9).with(dayOfWeekInMonth(1, DayOfWeek.MONDAY)),
                thanksgiving,
                observed(LocalDate.of(year, 12, 25))));
        LocalDate newYear = LocalDate.of(year, 1, 1);
        if (newYear.getDayOfWeek() != DayOfWeek.SATURDAY) {
            holidays.add(observed(newYear));
        }
        Map<LocalDate, LocalTime> earlyCloses = new TreeMap<>(Map.of(thanksgiving.plusDays(1), ONE));
        for (LocalDate eve : Set.of(LocalDate.of(year, 7, 3), LocalDate.of(year, 12, 24))) {
            if (!isWeekend(eve) && !holidays.contains(eve)) {
                earlyCloses.put(eve, ONE);
            }
        }
        assertThat(holidays("XNYS", year)).isEqualTo(holidays);
        assertThat(earlyCloses("XNYS", year)).isEqualTo(earlyCloses);
    }

    @ParameterizedTest
    @Tag("X14")
    @DisplayName("Taipei's holidays follow the law, the lunar ones their table; there is no half day")
    @CsvSource({
        "2026, 2026-02-12, 2026-02-22, 2026-06-19, 2026-09-25",
        "2027, 2027-02-02, 2027-02-10, 2027-06-09, 2027-09-15"
    })
    void taipeiFollowsHolidayLaw(
            int year, LocalDate newYear, LocalDate newYearEnds, LocalDate dragonBoat, LocalDate midAutumn) {
        Set<LocalDate> holidays = new TreeSet<>(Set.of(dragonBoat, midAutumn));
        newYear.datesUntil(newYearEnds.plusDays(1))
                .filter(day -> !isWeekend(day))
                .forEach(holidays::add);
        for (String day : "01-01 02-28 04-05 04-04 05-01 09-28 10-10 10-25 12-25".split(" ", -1)) {
            LocalDate free = observed(LocalDate.parse(year + "-" + day));
            holidays.add(holidays.contains(free) ? free.plusDays(1) : free);
        }
        LocalDate newYearAfter = observed(LocalDate.of(year + 1, 1, 1));
        if (newYearAfter.getYear() == year) {
            holidays.add(newYearAfter);
        }
        assertThat(holidays("XTAI", year)).isEqualTo(holidays);
        assertThat(earlyCloses("XTAI", year)).isEmpty();
    }

    private static Set<LocalDate> holidays(String exchange, int year) {
        Set<LocalDate> holidays = new TreeSet<>();
        Calendars.of(exchange).specialDays().forEach((date, day) -> {
            if (date.getYear() == year && day.closes() == null) {
                holidays.add(date);
            }
        });
        return holidays;
    }

    private static Map<LocalDate, LocalTime> earlyCloses(String exchange, int year) {
        Map<LocalDate, LocalTime> closes = new TreeMap<>();
        Calendars.of(exchange).specialDays().forEach((date, day) -> {
            LocalTime early = day.closes();
            if (date.getYear() == year && early != null) {
                closes.put(date, early);
            }
        });
        return closes;
    }

    private static Stream<LocalDate> days(int year) {
        return in(year, 1).datesUntil(in(year + 1, 1));
    }

    private static LocalDate in(int year, int month) {
        return LocalDate.of(year, month, 1);
    }

    /** Free on Friday for a holiday on Saturday, on Monday for one on Sunday. */
    private static LocalDate observed(LocalDate holiday) {
        return switch (holiday.getDayOfWeek()) {
            case SATURDAY -> holiday.minusDays(1);
            case SUNDAY -> holiday.plusDays(1);
            default -> holiday;
        };
    }

    private static boolean isWeekend(LocalDate date) {
        return date.getDayOfWeek() == DayOfWeek.SATURDAY || date.getDayOfWeek() == DayOfWeek.SUNDAY;
    }
}
