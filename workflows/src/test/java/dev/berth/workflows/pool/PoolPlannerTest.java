package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The size of the pool by exchanges and demand. */
class PoolPlannerTest {
    private static final Duration AHEAD = Duration.ofMinutes(30);
    private static final PoolPlanner.Rules RULES = new PoolPlanner.Rules(AHEAD, 4, 20, 1.5);
    private static final ExchangeCalendar NEW_YORK = Calendars.of("XNYS");
    private static final ExchangeCalendar TAIPEI = Calendars.of("XTAI");

    /** Users by when the pool was first sized for the session. */
    private final Map<Instant, Integer> users = new HashMap<>();

    private PoolPlanner planner(ExchangeCalendar... exchanges) {
        return new PoolPlanner(
                List.of(exchanges),
                RULES,
                (from, _) -> users.containsKey(from) ? OptionalInt.of(users.get(from)) : OptionalInt.empty());
    }

    private static List<String> plan(PoolPlanner planner, String from, String until) {
        return planner.steps(Instant.parse(from), Instant.parse(until), 2).stream()
                .map(step -> step.from() + " " + step.target() + " " + step.reason())
                .toList();
    }

    @Test
    @Tag("X14")
    @DisplayName("A holiday and a half day: the pool grows half an hour before the open, by the last session's users")
    void plansHolidayAndHalfDay() {
        users.put(Instant.parse("2026-11-25T14:00:00Z"), 9);
        assertThat(plan(planner(NEW_YORK), "2026-11-25T20:00:00Z", "2026-11-28T00:00:00Z"))
                .containsExactly(
                        "2026-11-25T20:00:00Z 4 XNYS trades from 09:30 to 16:00;"
                                + " the demand of the session before is not known, at least 4",
                        "2026-11-25T21:00:00Z 2 no session until XNYS opens on 2026-11-27 at 09:30;"
                                + " XNYS is closed on 2026-11-26: Thanksgiving Day",
                        "2026-11-27T14:00:00Z 14 XNYS trades from 09:30 to 13:00 (day after Thanksgiving);"
                                + " 9 users came in the busiest 5 min of 2026-11-25, times 1.5",
                        "2026-11-27T18:00:00Z 2 no session until XNYS opens on 2026-11-30 at 09:30");
    }

    @ParameterizedTest
    @Tag("X14")
    @DisplayName("A session's target is between floor and ceiling, and never below the fixed target")
    @CsvSource({"0, 2, 4", "2, 2, 4", "3, 2, 5", "13, 2, 20", "1000000, 2, 20", "0, 6, 6"})
    void boundsTarget(int arrived, int fixed, int target) {
        users.put(Instant.parse("2026-11-24T14:00:00Z"), arrived);
        PoolStep step = planner(NEW_YORK).step(Instant.parse("2026-11-25T14:00:00Z"), fixed);
        assertThat(step)
                .extracting(PoolStep::target, PoolStep::until)
                .containsExactly(target, Instant.parse("2026-11-25T21:00:00Z"));
    }

    @Test
    @Tag("X14")
    @DisplayName("The last session before the end of daylight-saving time is found by its own local hours")
    void countsUsersAcrossClockChange() {
        users.put(Instant.parse("2026-10-30T13:00:00Z"), 8);
        assertThat(plan(planner(NEW_YORK), "2026-11-02T13:59:59Z", "2026-11-02T14:00:01Z"))
                .containsExactly(
                        "2026-11-02T13:59:59Z 2 no session until XNYS opens on 2026-11-02 at 09:30",
                        "2026-11-02T14:00:00Z 12 XNYS trades from 09:30 to 16:00;"
                                + " 8 users came in the busiest 5 min of 2026-10-30, times 1.5");
    }

    @Test
    @Tag("X14")
    @DisplayName("Two exchanges: each session has its own step, and the next open is the nearer one")
    void plansTwoExchanges() {
        users.put(Instant.parse("2026-11-24T00:30:00Z"), 6);
        assertThat(planner(NEW_YORK, TAIPEI)
                        .steps(Instant.parse("2026-11-24T21:00:00Z"), Instant.parse("2026-11-25T21:00:00Z"), 2))
                .extracting(step -> step.from() + " " + step.exchange() + " " + step.target())
                .containsExactly(
                        "2026-11-24T21:00:00Z XTAI 2",
                        "2026-11-25T00:30:00Z XTAI 9",
                        "2026-11-25T05:30:00Z XNYS 2",
                        "2026-11-25T14:00:00Z XNYS 4");
        assertThat(plan(planner(NEW_YORK, TAIPEI), "2026-11-26T06:00:00Z", "2026-11-26T23:00:00Z"))
                .containsExactly("2026-11-26T06:00:00Z 2 no session until XTAI opens on 2026-11-27 at 09:00;"
                        + " XNYS is closed on 2026-11-26: Thanksgiving Day");
    }

    @Test
    @Tag("X14")
    @DisplayName("Sessions at the same time: the larger target counts")
    void largerTargetCounts() {
        ExchangeCalendar toronto = ExchangeCalendar.parse(List.of(
                "exchange XTSE",
                "zone America/Toronto",
                "days WEDNESDAY",
                "session 10:00 16:30",
                "first 2026-11-01",
                "last 2026-11-30"));
        users.put(Instant.parse("2026-11-24T14:00:00Z"), 4);
        users.put(Instant.parse("2026-11-18T14:30:00Z"), 6);
        assertThat(planner(NEW_YORK, toronto)
                        .steps(Instant.parse("2026-11-25T13:00:00Z"), Instant.parse("2026-11-25T22:00:00Z"), 2))
                .extracting(step -> step.from() + " " + step.exchange() + " " + step.target())
                .containsExactly(
                        "2026-11-25T13:00:00Z XNYS 2",
                        "2026-11-25T14:00:00Z XNYS 6",
                        "2026-11-25T14:30:00Z XTSE 9",
                        "2026-11-25T21:00:00Z XTSE 9",
                        "2026-11-25T21:30:00Z XNYS 2");
    }

    @Test
    @Tag("X14")
    @DisplayName("After the calendar's end the pool has its fixed target, and the plan says so")
    void fixedTargetAppliesAfterCalendarEnd() {
        assertThat(plan(planner(NEW_YORK), "2027-12-31T20:00:00Z", "2028-01-04T20:00:00Z"))
                .containsExactly(
                        "2027-12-31T20:00:00Z 4 XNYS trades from 09:30 to 16:00;"
                                + " the demand of the session before is not known, at least 4",
                        "2027-12-31T21:00:00Z 2 the calendar has ended: XNYS on 2027-12-31");
    }

    @Test
    @Tag("X14")
    @DisplayName("Without an exchange there is no plan")
    void plansNothingWithoutExchange() {
        Instant now = Instant.parse("2026-11-25T14:00:00Z");
        assertThat(PoolPlanner.fixed().step(now, 2)).isNull();
        assertThat(PoolPlanner.fixed().steps(now, now.plus(Duration.ofDays(1)), 2))
                .isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolPlanner.Rules(AHEAD, 3, 2, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolPlanner.Rules(AHEAD, 0, 2, 0));
    }
}
