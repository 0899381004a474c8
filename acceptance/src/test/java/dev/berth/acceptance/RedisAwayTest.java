package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The API while Redis hangs, or is gone. */
@ExtendWith(OnTheStack.class)
class RedisAwayTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Stack stack;

    RedisAwayTest(Stack stack) {
        this.stack = stack;
    }

    @AfterEach
    void redisIsBack() throws Exception {
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

    /** 503, and nothing came of it; the worker is shown all the same. */
    private void whileAway(Trader trader) throws Exception {
        Answer refused =
                trader.submit(NewOrder.market("away", "AAPL", "buy", "1").json());
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:unavailable");
        assertThat(new TemporalCli(stack).ids("WorkflowId = 'order:" + trader.user() + ":away'"))
                .isEmpty();
        Answer worker = trader.get("/v1/worker");
        assertThat(worker.status()).isEqualTo(200);
        assertThat(worker.text("state")).isEqualTo("ACTIVE");
        assertThat(worker.body().path("heartbeatAgeMillis").isNull()).isTrue();
        Answer fleet = Operator.of(stack).get("");
        assertThat(fleet.status()).isEqualTo(200);
        assertThat(fleet.body().path("poolIdle").isNull()).isTrue();
    }

    /** The same order is accepted, by the same worker. */
    private void whenBack(Trader trader, JsonNode before) {
        await().atMost(SOON)
                .until(() -> trader.submit(NewOrder.market("away", "AAPL", "buy", "1"), 10)
                        .text("status")
                        .equals("FILLED"));
        JsonNode worker = Eventually.activeWorker(trader, before.path("epoch").asLong(), SOON);
        assertThat(worker.path("pid")).isEqualTo(before.path("pid"));
        assertThat(worker.path("epoch")).isEqualTo(before.path("epoch"));
    }

    @Test
    @DisplayName(
            "X6 while Redis hangs no order is accepted and the worker is kept; when it goes on, so does everything")
    void hangs() throws Exception {
        Trader trader = Eventually.trading(stack, "redis-hangs");
        JsonNode before = trader.worker();
        long redis = redis();
        Processes.signal(redis, "STOP");
        try {
            whileAway(trader);
        } finally {
            Processes.signal(redis, "CONT");
        }
        whenBack(trader, before);
    }

    @Test
    @DisplayName("X6 while Redis is gone no order is accepted and the worker is kept; the API recovers when it is back")
    void gone() throws Exception {
        Trader trader = Eventually.trading(stack, "redis-gone");
        JsonNode before = trader.worker();
        long redis = redis();
        Processes.signal(redis, "KILL");
        Eventually.ended(redis, SOON);
        whileAway(trader);
        stack.berth("up");
        whenBack(trader, before);
    }
}
