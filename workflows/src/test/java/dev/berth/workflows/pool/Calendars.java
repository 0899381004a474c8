package dev.berth.workflows.pool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The calendars that Berth brings. */
final class Calendars {
    private Calendars() {}

    static ExchangeCalendar of(String exchange) {
        try {
            return ExchangeCalendar.parse(
                    Files.readAllLines(Path.of("../activities/src/main/resources/calendars/" + exchange + ".txt")));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
