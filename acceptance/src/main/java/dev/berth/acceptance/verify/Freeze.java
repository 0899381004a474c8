package dev.berth.acceptance.verify;

import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in which whoever runs the check had stopped processes itself: what was then at the send gate goes on late. It
 * ends when the last of that has reached the venue, a moment after the processes went on.
 *
 * @param account whose worker stood still; null for all
 */
public record Freeze(@Nullable String account, Instant from, Instant to) {
    public Freeze {
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a freeze can not end at " + to + ", before it began at " + from + ".");
        }
    }

    /**
     * Reads {@code FROM/TO}, two RFC 3339 times, in which all stood still.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    static Freeze parse(String text) {
        String[] ends = text.split("/", -1);
        if (ends.length == 2) {
            try {
                return new Freeze(null, Instant.parse(ends[0]), Instant.parse(ends[1]));
            } catch (DateTimeException noTime) {
                // The same answer as for no interval at all.
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no interval such as 2026-03-02T09:30:00Z/2026-03-02T09:31:00Z.");
    }

    boolean covers(Arrival sent) {
        return (account == null || account.equals(sent.account()))
                && !sent.time().isBefore(from)
                && !sent.time().isAfter(to);
    }
}
