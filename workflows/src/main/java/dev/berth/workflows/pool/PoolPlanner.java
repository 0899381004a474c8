package dev.berth.workflows.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sizes the pool ahead of and during the sessions of exchanges, by the demand of the session
 * before. At any other time, and after the end of the calendars, the pool has its fixed target.
 * When sessions of several exchanges overlap, the largest target counts.
 */
public final class PoolPlanner {
    /** A step that ends later is planned again. */
    private static final Duration STEP = Duration.ofDays(1);

    private final List<ExchangeCalendar> calendars;
    private final Rules rules;
    private final SessionDemand demand;

    /**
     * How a session becomes a target.
     *
     * @param ahead of the open, when the pool grows; not negative
     * @param floor idle workers in each session, whatever the demand; 0 or more
     * @param ceiling idle workers in no session exceed it; at least the floor
     * @param factor target by user of the session before; more than 0
     */
    public record Rules(Duration ahead, int floor, int ceiling, double factor) {
        public Rules {
            if (ahead.isNegative() || floor < 0 || ceiling < floor || !(factor > 0)) {
                throw new IllegalArgumentException("A pool by calendar needs ahead >= 0, 0 <= floor <= ceiling and"
                        + " factor > 0, not " + ahead + ", " + floor + ", " + ceiling + ", " + factor);
            }
        }
    }

    /** The time in which the pool is sized for a session. */
    private record Window(ExchangeCalendar calendar, TradingSession session, Instant from) {
        boolean covers(Instant time) {
            return !time.isBefore(from) && time.isBefore(session.closes());
        }
    }

    public PoolPlanner(List<ExchangeCalendar> calendars, Rules rules, SessionDemand demand) {
        this.calendars = List.copyOf(calendars);
        this.rules = rules;
        this.demand = demand;
    }

    /** A planner without an exchange: the pool has its fixed target at all times. */
    public static PoolPlanner fixed() {
        return new PoolPlanner(List.of(), new Rules(Duration.ZERO, 0, 0, 1), (_, _) -> OptionalInt.empty());
    }

    public List<ExchangeCalendar> calendars() {
        return calendars;
    }

    /**
     * The step that this time is in; null without a calendar.
     *
     * @param target the fixed target, below which no step goes
     */
    public @Nullable PoolStep step(Instant now, int target) {
        if (calendars.isEmpty()) {
            return null;
        }
        List<Window> windows = windows(now, now.plus(STEP));
        List<Instant> bounds = bounds(now, now.plus(STEP), windows);
        return step(bounds.get(0), bounds.get(1), windows, target);
    }

    /** All steps between two times, without a gap; none without a calendar. */
    public List<PoolStep> steps(Instant from, Instant until, int target) {
        List<PoolStep> steps = new ArrayList<>();
        if (!calendars.isEmpty()) {
            List<Window> windows = windows(from, until);
            List<Instant> bounds = bounds(from, until, windows);
            for (int i = 1; i < bounds.size(); i++) {
                steps.add(step(bounds.get(i - 1), bounds.get(i), windows, target));
            }
        }
        return steps;
    }

    private List<Window> windows(Instant from, Instant until) {
        return calendars.stream()
                .flatMap(calendar -> calendar.sessions(from, until.plus(rules.ahead()))
                        .map(session ->
                                new Window(calendar, session, session.opens().minus(rules.ahead()))))
                .toList();
    }

    private static List<Instant> bounds(Instant from, Instant until, List<Window> windows) {
        TreeSet<Instant> bounds = new TreeSet<>();
        for (Window window : windows) {
            bounds.add(window.from());
            bounds.add(window.session().closes());
        }
        bounds.removeIf(time -> !time.isAfter(from) || !time.isBefore(until));
        bounds.add(from);
        bounds.add(until);
        return List.copyOf(bounds);
    }

    private PoolStep step(Instant from, Instant until, List<Window> windows, int target) {
        return windows.stream()
                .filter(window -> window.covers(from))
                .map(window -> sessionStep(window, from, until, target))
                .max(Comparator.comparingInt(PoolStep::target))
                .orElseGet(() -> quietStep(from, until, target));
    }

    private PoolStep sessionStep(Window window, Instant from, Instant until, int target) {
        ExchangeCalendar calendar = window.calendar();
        TradingSession session = window.session();
        Optional<TradingSession> last = calendar.before(session.date());
        OptionalInt users = last.isEmpty()
                ? OptionalInt.empty()
                : demand.peak(
                        last.get().opens().minus(rules.ahead()), last.get().closes());
        int byDemand = (int) Math.ceil(users.orElse(0) * rules.factor());
        int planned = Math.max(Math.max(target, rules.floor()), Math.min(rules.ceiling(), byDemand));
        String reason = "%s trades from %s to %s%s; "
                        .formatted(
                                calendar.exchange(),
                                time(session.opens(), calendar.zone()),
                                time(session.closes(), calendar.zone()),
                                session.earlyClose() == null ? "" : " (" + session.earlyClose() + ")")
                + (users.isEmpty()
                        ? "the demand of the session before is not known"
                        : "%s users came in the busiest 5 min of %s, times %s"
                                .formatted(
                                        users.getAsInt(),
                                        last.map(TradingSession::date).orElse(session.date()),
                                        rules.factor()))
                + (planned > byDemand ? ", at least " + planned : "")
                + (planned < byDemand ? ", at most " + planned : "");
        return new PoolStep(from, until, planned, calendar.exchange(), calendar.zone(), reason);
    }

    private PoolStep quietStep(Instant from, Instant until, int target) {
        Optional<ExchangeCalendar> next = calendars.stream()
                .filter(calendar -> calendar.next(from).isPresent())
                .min(Comparator.comparing(
                        calendar -> calendar.next(from).orElseThrow().opens()));
        ExchangeCalendar shown = next.orElse(calendars.getFirst());
        String reason =
                next.isEmpty() ? ended() : untilOpen(shown, shown.next(from).orElseThrow());
        String holidays = calendars.stream()
                .map(calendar -> holidays(calendar, from, until))
                .collect(Collectors.joining());
        return new PoolStep(from, until, target, shown.exchange(), shown.zone(), reason + holidays);
    }

    private String ended() {
        return "the calendar has ended: "
                + calendars.stream()
                        .map(calendar -> calendar.exchange() + " on " + calendar.last())
                        .collect(Collectors.joining(", "));
    }

    private static String untilOpen(ExchangeCalendar calendar, TradingSession session) {
        return "no session until %s opens on %s at %s"
                .formatted(calendar.exchange(), session.date(), time(session.opens(), calendar.zone()));
    }

    private static String holidays(ExchangeCalendar calendar, Instant from, Instant until) {
        return calendar.holidays(calendar.dateAt(from), calendar.dateAt(until)).entrySet().stream()
                .map(day -> "; %s is closed on %s: %s".formatted(calendar.exchange(), day.getKey(), day.getValue()))
                .collect(Collectors.joining());
    }

    private static LocalTime time(Instant time, ZoneId zone) {
        return time.atZone(zone).toLocalTime();
    }
}
