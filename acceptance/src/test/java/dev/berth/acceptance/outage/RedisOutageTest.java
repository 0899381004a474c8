package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.FleetSummary;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The API while Redis hangs or is down. */
@ExtendWith(StackExtension.class)
class RedisOutageTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Stack stack;

    RedisOutageTest(Stack stack) {
        this.stack = stack;
    }

    @AfterEach
    void restoreStack() throws Exception {
        stack.berth("up");
    }

    private long redis() {
        Path programs = stack.home().resolve("data/redis");
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").startsWith(programs.toString()))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** A submit is 503 and starts nothing, while reads work. */
    private void assertOrdersRefused(Trader trader) throws Exception {
        JsonResponse refused =
                trader.submit(OrderBody.market("away", "AAPL", "buy", "1").json());
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:unavailable");
        assertThat(new TemporalCli(stack).ids("WorkflowId = 'order:" + trader.user() + ":away'"))
                .isEmpty();
        JsonResponse worker = trader.get("/v1/worker");
        assertThat(worker.status()).isEqualTo(200);
        assertThat(worker.text("state")).isEqualTo("ACTIVE");
        assertThat(worker.as(Worker.class).heartbeatAgeMillis()).isNull();
        JsonResponse fleet = FleetOperator.of(stack).get("");
        assertThat(fleet.status()).isEqualTo(200);
        assertThat(fleet.as(FleetSummary.class).poolIdle()).isNull();
    }

    /** The same worker fills the refused order. */
    private void assertOrdersFilled(Trader trader, Worker before) {
        await().atMost(TIMEOUT)
                .until(() -> trader.submit(OrderBody.market("away", "AAPL", "buy", "1"), 10)
                        .text("status")
                        .equals("FILLED"));
        Worker worker = Eventually.activeWorker(trader, before.epoch(), TIMEOUT);
        assertThat(worker.pid()).isEqualTo(before.pid());
        assertThat(worker.epoch()).isEqualTo(before.epoch());
    }

    @Test
    @Tag("X6")
    @DisplayName("While Redis hangs orders are refused and the worker is kept; both recover")
    void hangingRedisRefusesOrders() throws Exception {
        Trader trader = Eventually.trading(stack, "redis-hangs");
        Worker before = trader.worker();
        long redis = redis();
        Processes.signal(redis, "STOP");
        try {
            assertOrdersRefused(trader);
        } finally {
            Processes.signal(redis, "CONT");
        }
        assertOrdersFilled(trader, before);
    }

    @Test
    @Tag("X6")
    @DisplayName("While Redis is down orders are refused and the worker is kept; both recover")
    void downRedisRefusesOrders() throws Exception {
        Trader trader = Eventually.trading(stack, "redis-gone");
        Worker before = trader.worker();
        long redis = redis();
        Processes.signal(redis, "KILL");
        Eventually.ended(redis, TIMEOUT);
        assertOrdersRefused(trader);
        stack.berth("up");
        assertOrdersFilled(trader, before);
    }
}
