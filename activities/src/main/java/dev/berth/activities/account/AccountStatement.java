package dev.berth.activities.account;

import dev.berth.workflows.broker.AccountKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an account became what it was at the end of a day (UTC). It begins with the last report of
 * an earlier day, or else with the first report of all, and ends with the last report of the day:
 * what happened after that is in the next statement. So statements follow one another without a
 * gap or an overlap, also over days without a report.
 *
 * @param complete whether the day is over
 * @param from what was executed then or later is in it
 * @param to what was executed then or later is not
 * @param assets the account's currency first
 */
public record AccountStatement(
        AccountKey account, LocalDate day, boolean complete, Instant from, Instant to, List<Asset> assets) {
    public AccountStatement {
        assets = List.copyOf(assets);
    }

    /**
     * One currency or position.
     *
     * @param name such as {@code USD}, {@code AAPL} or {@code BTC/USD}
     */
    public record Asset(String name, List<Line> lines) {
        public Asset {
            lines = List.copyOf(lines);
        }
    }

    /** What a line says. */
    public enum Entry {
        /** What the report held that the statement begins with. */
        START,
        /** What executions brought, of orders that were made here or elsewhere. */
        FILLS,
        /** What busts of executions took back. */
        BUSTS,
        /** Fees that the broker told with executions, and those that it booked by themselves. */
        FEES,
        /** Anything else that was booked, by the broker's kind. */
        ACTIVITY,
        /** The sum of the lines before. */
        END,
        /** What the report held that the statement ends with. */
        REPORTED,
        /** How much more was reported than the sum; 0 when nothing is missing here. */
        DIFFERENCE
    }

    /**
     * One line.
     *
     * @param kind the broker's word for an activity; null for any other line
     * @param count of what is summed up; 1 for a single amount
     * @param amount what it adds; negative when it takes away
     */
    public record Line(Entry entry, @Nullable String kind, long count, BigDecimal amount) {
        Line(Entry entry, BigDecimal amount) {
            this(entry, null, 1, amount);
        }
    }
}
