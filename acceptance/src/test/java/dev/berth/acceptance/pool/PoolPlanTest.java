package dev.berth.acceptance.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The pool follows the calendar of an exchange that trades day and night. */
@Tag("long")
@ExtendWith(StackExtension.class)
class PoolPlanTest {
    private final Stack stack;
    private final Stack trading;
    private final Path folder;
    private final RedisKeyspace redis;
    private boolean hasCalendar;

    PoolPlanTest(Stack stack, @TempDir Path folder) {
        this.stack = stack;
        this.folder = folder;
        this.redis = RedisKeyspace.of(stack);
        this.trading = stack.with(
                Map.of("BERTH_POOL_CALENDAR_EXCHANGES", "XDAY,XNYS", "BERTH_POOL_CALENDAR_FOLDER", folder.toString()));
    }

    private void restartWithCalendar() throws Exception {
        Files.writeString(folder.resolve("XDAY.txt"), calendar());
        stack.process("api").kill();
        hasCalendar = true;
        trading.berth("up");
    }

    /**
     * A calendar of a place where it is noon now, so that the orders that other tests sent in the
     * last hours are of today.
     */
    private static String calendar() {
        ZoneOffset zone =
                ZoneOffset.ofHours(12 - OffsetDateTime.now(ZoneOffset.UTC).getHour());
        return """
                exchange XDAY
                zone %s
                days MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY
                session 00:00 23:59:59
                first 2026-01-01
                last 2099-12-31
                """.formatted(zone);
    }

    /** The order of a user, as if three others had sent it a day earlier. */
    private void tradedYesterday(Trader trader) throws Exception {
        try (Connection postgres = stack.openPostgres();
                var copy =
                        postgres.prepareStatement("INSERT INTO orders (user_id, client_order_id, request_hash, symbol,"
                                + " status, revision, submitted_at, state) SELECT 'yesterday-' || n, client_order_id,"
                                + " request_hash, symbol, status, revision, submitted_at - interval '1 day', state"
                                + " FROM orders, generate_series(1, 3) n WHERE user_id = ? AND status = 'FILLED'")) {
            copy.setString(1, trader.user());
            // The order's answer may come before its record.
            await().until(copy::executeUpdate, copied -> copied == 3);
        }
    }

    @AfterEach
    void restore() throws Exception {
        try (Connection postgres = stack.openPostgres();
                var delete = postgres.prepareStatement("DELETE FROM orders WHERE user_id LIKE 'yesterday-%'")) {
            delete.executeUpdate();
        }
        if (hasCalendar) {
            restartWithoutCalendar();
        }
    }

    private void restartWithoutCalendar() throws Exception {
        stack.process("api").kill();
        stack.berth("up");
        hasCalendar = false;
    }

    @Test
    @Tag("X14")
    @DisplayName("In a session the pool is as large as yesterday's demand; without one only idle workers end")
    void poolFollowsCalendar() throws Exception {
        Trader trader = Eventually.trading(stack, "session");
        tradedYesterday(trader);
        restartWithCalendar();
        awaitIdle(3);
        PoolPlan plan = FleetOperator.of(stack).get("/pool/plan").as(PoolPlan.class);
        assertThat(plan.exchanges()).extracting(Exchange::exchange).containsExactly("XDAY", "XNYS");
        Step step = plan.steps().getFirst();
        assertThat(step.target()).as("%s", step).isEqualTo(3);
        assertThat(step.reason())
                .startsWith("XDAY trades from 00:00 to 23:59:59; 3 users came in the busiest 5 min of");
        assertThat(OffsetDateTime.parse(step.untilLocal()).toInstant()).isEqualTo(step.until());
        assertThat(new BerthCommand(trading).done("pool plan"))
                .contains("XDAY trades", "The calendar of XNYS (America/New_York) ends on");

        Worker worker = trader.worker();
        restartWithoutCalendar();
        awaitIdle(2);
        assertThat(trader.worker().epoch()).isEqualTo(worker.epoch());
        assertThat(trader.worker().state()).isEqualTo("ACTIVE");
        assertThat(new BerthCommand(stack).done("pool plan")).contains("2 idle workers at all times");
    }

    private record PoolPlan(List<Exchange> exchanges, List<Step> steps) {}

    private record Exchange(String exchange) {}

    private record Step(Instant until, String untilLocal, int target, String reason) {}

    private void awaitIdle(int count) {
        await().atMost(Eventually.POOL_FILLS)
                .untilAsserted(() -> assertThat(redis.idlePoolWorkers()).hasSize(count));
    }
}
