package dev.berth.activities.pool;

import dev.berth.workflows.pool.ExchangeCalendar;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The calendar of each exchange is a file {@code CODE.txt}. */
public final class CalendarFiles {
    private static final Pattern CODE = Pattern.compile("[A-Z0-9]{1,16}");

    private CalendarFiles() {}

    /**
     * Reads the calendar of an exchange.
     *
     * @param folder whose files come before those that Berth brings; null without one
     * @throws IllegalArgumentException when there is no such file, or the file is no calendar of
     *     this exchange
     */
    public static ExchangeCalendar read(String exchange, @Nullable Path folder) {
        if (!CODE.matcher(exchange).matches()) {
            throw new IllegalArgumentException(
                    "berth.pool.calendar.exchanges are codes such as XNYS, not '" + exchange + "'");
        }
        String name = exchange + ".txt";
        try (InputStream file = open(name, folder)) {
            if (file == null) {
                throw new IllegalArgumentException(
                        "berth.pool.calendar.exchanges has " + exchange + ", and there is no file " + name);
            }
            return parse(exchange, name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static ExchangeCalendar parse(String exchange, String name, String text) {
        try {
            ExchangeCalendar calendar = ExchangeCalendar.parse(text.lines().toList());
            if (!calendar.exchange().equals(exchange)) {
                throw new IllegalArgumentException("It is the calendar of " + calendar.exchange());
            }
            return calendar;
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "berth.pool.calendar.exchanges, " + name + ": " + wrong.getMessage(), wrong);
        }
    }

    private static @Nullable InputStream open(String name, @Nullable Path folder) throws IOException {
        Path own = folder == null ? null : folder.resolve(name);
        return own != null && Files.exists(own)
                ? Files.newInputStream(own)
                : CalendarFiles.class.getResourceAsStream("/calendars/" + name);
    }
}
