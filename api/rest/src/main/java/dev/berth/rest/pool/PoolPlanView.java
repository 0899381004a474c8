package dev.berth.rest.pool;

import dev.berth.workflows.pool.ExchangeCalendar;
import dev.berth.workflows.pool.PoolStep;
import dev.berth.workflows.pool.TradingSession;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many idle workers the pool keeps in the coming day.
 *
 * @param target outside of sessions, and without an exchange
 * @param steps of the next 24 hours, without a gap; none without an exchange
 */
record PoolPlanView(int target, List<Exchange> exchanges, List<Step> steps) {
    /**
     * An exchange with a calendar.
     *
     * @param lastDay of the calendar; after it the pool keeps its fixed target
     * @param session under way or next; null when the calendar has no more
     */
    record Exchange(
            String exchange,
            String zone,
            LocalDate lastDay,
            @Nullable Session session) {
        static Exchange of(ExchangeCalendar calendar, Instant now) {
            return new Exchange(
                    calendar.exchange(),
                    calendar.zone().getId(),
                    calendar.last(),
                    calendar.next(now).map(Session::of).orElse(null));
        }
    }

    /**
     * A day of trading.
     *
     * @param date at the exchange
     * @param earlyClose why the exchange closes early; null when it does not
     */
    record Session(
            LocalDate date,
            Instant opens,
            Instant closes,
            @Nullable String earlyClose) {
        static Session of(TradingSession session) {
            return new Session(session.date(), session.opens(), session.closes(), session.earlyClose());
        }
    }

    /**
     * Idle workers between two times.
     *
     * @param fromLocal the same as {@code from}, at the exchange
     * @param untilLocal the same as {@code until}, at the exchange
     */
    record Step(
            Instant from,
            Instant until,
            OffsetDateTime fromLocal,
            OffsetDateTime untilLocal,
            String exchange,
            int target,
            String reason) {

        static Step of(PoolStep step) {
            return new Step(
                    step.from(),
                    step.until(),
                    step.from().atZone(step.zone()).toOffsetDateTime(),
                    step.until().atZone(step.zone()).toOffsetDateTime(),
                    step.exchange(),
                    step.target(),
                    step.reason());
        }
    }
}
