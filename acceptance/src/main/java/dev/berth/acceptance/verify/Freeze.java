package dev.berth.acceptance.verify;

import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in which a fault run froze processes: an order behind the send gate is late. It ends when
 * the last such order has reached the venue.
 *
 * @param account the account of the frozen worker; null for all
 */
public record Freeze(@Nullable String account, Instant from, Instant to) {
    public Freeze {
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a freeze cannot end at " + to + ", before it began at " + from + ".");
        }
    }

    /**
     * Reads {@code FROM/TO}, two RFC 3339 times, for all accounts.
     *
     * @throws IllegalArgumentException with the reason
     */
    static Freeze parse(String text) {
        String[] ends = text.split("/", -1);
        if (ends.length == 2) {
            try {
                return new Freeze(null, Instant.parse(ends[0]), Instant.parse(ends[1]));
            } catch (DateTimeException noTime) {
                // Reported below.
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no interval such as 2026-03-02T09:30:00Z/2026-03-02T09:31:00Z.");
    }

    boolean covers(RecordedArrival sent) {
        return (account == null || account.equals(sent.account()))
                && !sent.time().isBefore(from)
                && !sent.time().isAfter(to);
    }
}
