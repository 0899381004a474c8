package dev.berth.activities.pool;

import dev.berth.workflows.pool.SessionDemand;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Counts the users who came by their orders in PostgreSQL. A user comes with an order after 30 min
 * without one: by then the worker of the order before is stopped.
 */
public final class UserArrivals implements SessionDemand {
    private static final String PEAK = """
            SELECT coalesce(max(users), 0) FROM (
              SELECT count(*) AS users FROM (
                SELECT submitted_at, lag(submitted_at) OVER (PARTITION BY user_id ORDER BY submitted_at) AS previous
                FROM orders WHERE submitted_at >= ? AND submitted_at < ?) AS submissions
              WHERE previous IS NULL OR submitted_at - previous > interval '30 minutes'
              GROUP BY date_bin('5 minutes', submitted_at, ?)) AS arrivals
            """;

    /**
     * The pool checks itself every few seconds while workers start, and waits for the answer. It
     * ends idle workers after 30 s of surplus: one failed count must not do that.
     */
    private static final Duration RETRY = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(UserArrivals.class);

    private record Span(Instant from, Instant until) {}

    private final JdbcTemplate postgres;
    private final InstantSource clock;
    /** The peaks of spans that are over, which change no more: two spans a day. */
    private final Map<Span, Integer> known = new HashMap<>();

    private Instant retryAt = Instant.MIN;

    public UserArrivals(JdbcTemplate postgres, InstantSource clock) {
        this.postgres = postgres;
        this.clock = clock;
    }

    @Override
    public synchronized OptionalInt peak(Instant from, Instant until) {
        Span span = new Span(from, until);
        Integer peak = known.get(span);
        Instant now = clock.instant();
        if (peak == null && !now.isBefore(retryAt)) {
            peak = read(span, now);
            if (peak != null && !now.isBefore(until)) {
                known.put(span, peak);
            }
        }
        return peak == null ? OptionalInt.empty() : OptionalInt.of(peak);
    }

    private @Nullable Integer read(Span span, Instant now) {
        try {
            Timestamp from = Timestamp.from(span.from());
            return postgres.queryForObject(PEAK, Integer.class, from, Timestamp.from(span.until()), from);
        } catch (DataAccessException unavailable) {
            LOG.warn(
                    "the users of {} to {} cannot be counted now: {}",
                    span.from(),
                    span.until(),
                    unavailable.getMessage());
            retryAt = now.plus(RETRY);
            return null;
        }
    }
}
