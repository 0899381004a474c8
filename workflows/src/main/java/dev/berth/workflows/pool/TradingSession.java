package dev.berth.workflows.pool;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The trading of one exchange on one day.
 *
 * @param date at the exchange
 * @param earlyClose why the exchange closes earlier than on other days; null when it does not
 */
public record TradingSession(
        String exchange,
        LocalDate date,
        Instant opens,
        Instant closes,
        @Nullable String earlyClose) {}
