package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pool follows the calendar of New York: two idle workers, six in a session. */
class PoolCalendarTest {
    private static final PoolPlanner.Rules RULES = new PoolPlanner.Rules(Duration.ofMinutes(30), 0, 20, 2);

    @Test
    @Tag("X14")
    @DisplayName("A trading day, Thanksgiving and the half day after it")
    void poolFollowsTradingDays() {
        try (PoolFixture fixture = begin("2026-11-25T13:00:00Z")) {
            PoolWorkflow pool = fixture.begin(2);
            skipTo(fixture, pool, "2026-11-25T13:59:50Z");
            assertThat(fixture.tasks.idle).hasSize(2);
            skipTo(fixture, pool, "2026-11-25T14:00:10Z");
            awaitIdle(fixture, 6);

            fixture.tasks.idle.removeFirst();
            pool.refill();
            awaitIdle(fixture, 6);
            skipTo(fixture, pool, "2026-11-25T20:59:50Z");
            assertThat(fixture.tasks.retired).isEmpty();
            assertThat(pool.state().target()).isEqualTo(6);

            fixture.tasks.claimed.add(fixture.tasks.idle.getLast());
            skipTo(fixture, pool, "2026-11-25T21:02:00Z");
            awaitIdle(fixture, 2);
            assertThat(fixture.tasks.retired).hasSize(3).doesNotContain(FakePoolTasks.arn(7));

            skipTo(fixture, pool, "2026-11-27T13:59:50Z");
            assertThat(fixture.tasks.idle).as("Thanksgiving").hasSize(2);
            skipTo(fixture, pool, "2026-11-27T14:00:10Z");
            awaitIdle(fixture, 6);
            skipTo(fixture, pool, "2026-11-27T17:59:50Z");
            assertThat(fixture.tasks.idle).hasSize(6);
            skipTo(fixture, pool, "2026-11-27T18:02:00Z");
            awaitIdle(fixture, 2);
        }
    }

    @Test
    @Tag("X14")
    @DisplayName("After the end of daylight-saving time the pool grows an hour later by UTC")
    void followsClockChange() {
        try (PoolFixture fixture = begin("2026-10-30T19:50:00Z")) {
            PoolWorkflow pool = fixture.begin(2);
            awaitIdle(fixture, 6);
            skipTo(fixture, pool, "2026-10-30T20:02:00Z");
            awaitIdle(fixture, 2);
            skipTo(fixture, pool, "2026-11-02T13:59:50Z");
            assertThat(fixture.tasks.idle).hasSize(2);
            skipTo(fixture, pool, "2026-11-02T14:00:10Z");
            awaitIdle(fixture, 6);
        }
    }

    @Test
    @Tag("X14")
    @DisplayName("A restart without exchanges ends the session's size at once")
    void restartWithoutExchanges() {
        try (PoolFixture fixture = begin("2026-11-25T14:30:00Z")) {
            PoolWorkflow pool = fixture.begin(2);
            awaitIdle(fixture, 6);
            fixture.tasks.planner = PoolPlanner.fixed();
            pool.resize(new PoolSize(0, 2, PoolFixture.LIFETIME));
            fixture.awaitNextCheck(pool);
            assertThat(pool.state().step()).isNull();
            fixture.server.skip(Duration.ofMinutes(2));
            awaitIdle(fixture, 2);
        }
    }

    private static PoolFixture begin(String time) {
        PoolFixture fixture = new PoolFixture(new InMemoryServer(Instant.parse(time)));
        fixture.tasks.clock = fixture.server::now;
        fixture.tasks.planner = new PoolPlanner(List.of(Calendars.of("XNYS")), RULES, (_, _) -> OptionalInt.of(3));
        return fixture;
    }

    private static void skipTo(PoolFixture fixture, PoolWorkflow pool, String time) {
        fixture.server.skip(Duration.between(fixture.server.now(), Instant.parse(time)));
        fixture.awaitNextCheck(pool);
    }

    private static void awaitIdle(PoolFixture fixture, int count) {
        await().untilAsserted(() -> assertThat(fixture.tasks.idle).hasSize(count));
    }
}
