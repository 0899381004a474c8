package dev.berth.workflows.pool;

import dev.berth.workflows.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** The calendars that Berth brings. */
final class Calendars {
    private Calendars() {}

    static ExchangeCalendar of(String exchange) {
        try {
            return ExchangeCalendar.parse(Files.readAllLines(
                    Checkout.ROOT.resolve("activities/src/main/resources/calendars/" + exchange + ".txt")));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
