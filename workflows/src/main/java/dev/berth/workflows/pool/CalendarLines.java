package dev.berth.workflows.pool;

import dev.berth.workflows.pool.ExchangeCalendar.SpecialDay;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text form of an exchange's calendar. */
final class CalendarLines {
    private static final Pattern FIELD = Pattern.compile("(exchange|zone|days|session|first|last) +(.+)");
    private static final Pattern SPECIAL_DAY = Pattern.compile("(\\d{4}-\\d{2}-\\d{2}) +(closed|\\d{2}:\\d{2}) +(.+)");

    private final Map<String, String> fields = new HashMap<>();
    private final TreeMap<LocalDate, SpecialDay> specialDays = new TreeMap<>();

    private CalendarLines() {}

    static ExchangeCalendar parse(List<String> lines) {
        CalendarLines read = new CalendarLines();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                read.line(number, line);
            }
        }
        return read.calendar();
    }

    private void line(int number, String line) {
        Matcher field = FIELD.matcher(line);
        Matcher special = SPECIAL_DAY.matcher(line);
        if (field.matches() && specialDays.isEmpty()) {
            fields.put(field.group(1), field.group(2));
        } else if (special.matches()) {
            specialDay(number, special);
        } else {
            throw refuse(number, "is neither a field nor a day");
        }
    }

    private void specialDay(int number, Matcher special) {
        try {
            LocalDate date = LocalDate.parse(special.group(1));
            String closes = special.group(2);
            if (!specialDays.isEmpty() && !date.isAfter(specialDays.lastKey())) {
                throw refuse(number, "is not after the day before it");
            }
            specialDays.put(
                    date, new SpecialDay(closes.equals("closed") ? null : LocalTime.parse(closes), special.group(3)));
        } catch (DateTimeException unreadable) {
            throw refuse(number, String.valueOf(unreadable.getMessage()));
        }
    }

    private ExchangeCalendar calendar() {
        String[] session = field("session").split(" +", -1);
        if (session.length != 2) {
            throw new IllegalArgumentException("No exchange calendar: a session has two times, as 09:30 16:00");
        }
        try {
            return new ExchangeCalendar(
                    field("exchange"),
                    ZoneId.of(field("zone")),
                    Stream.of(field("days").split(" +", -1))
                            .map(DayOfWeek::valueOf)
                            .collect(Collectors.toSet()),
                    LocalTime.parse(session[0]),
                    LocalTime.parse(session[1]),
                    LocalDate.parse(field("first")),
                    LocalDate.parse(field("last")),
                    specialDays);
        } catch (DateTimeException unreadable) {
            throw new IllegalArgumentException("No exchange calendar: " + unreadable.getMessage(), unreadable);
        }
    }

    private String field(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("No exchange calendar: the line '" + name + " …' is missing");
        }
        return value;
    }

    private static IllegalArgumentException refuse(int number, String why) {
        return new IllegalArgumentException("No exchange calendar: line " + number + " " + why);
    }
}
