package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two processes of the API and the orchestrator beside each other: the stack's own, and another like it. */
@ExtendWith(OnTheStack.class)
class ReplicaTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Stack stack;
    private Replica second;

    ReplicaTest(Stack stack) {
        this.stack = stack;
    }

    @BeforeEach
    void startTheSecond() throws Exception {
        second = Replica.start(stack, Map.of());
    }

    @AfterEach
    void leaveTheFirst() throws Exception {
        stack.berth("up");
        second.close();
        second.process().waitFor();
    }

    private long first() throws IOException {
        return stack.process("api").pid();
    }

    @Test
    @DisplayName("B7 two replicas hear of the same death, and one worker takes its place")
    void oneDeathHeardTwice() throws Exception {
        Trader trader = Eventually.trading(stack, "replica-death");
        JsonNode before = trader.worker();
        Processes.signal(before.path("pid").asLong(), "KILL");
        JsonNode after = Eventually.activeWorker(trader, before.path("epoch").asLong() + 1, SOON);
        assertThat(after.path("deaths").asInt()).isEqualTo(1);
        assertThat(second.of(trader).worker().path("pid")).isEqualTo(after.path("pid"));
        assertThat(second.of(trader)
                        .submit(NewOrder.market("two", "AAPL", "buy", "1"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
    }

    @Test
    @DisplayName(
            "B7 either replica can be killed: the other takes orders, replaces workers and answers for those of the first")
    void eitherIsKilled() throws Exception {
        Trader trader = stack.trader("replica-killed");
        Trader elsewhere = second.of(trader);
        assertThat(trader.submit(NewOrder.limit("rests", "TSLA", "buy", "1", "90"), 20)
                        .text("status"))
                .isEqualTo("NEW");
        long first = first();
        Processes.signal(first, "KILL");
        Eventually.ended(first, SOON);
        assertThat(elsewhere
                        .submit(NewOrder.market("two", "AAPL", "buy", "1"), 30)
                        .text("status"))
                .isEqualTo("FILLED");
        JsonNode before = elsewhere.worker();
        Processes.signal(before.path("pid").asLong(), "KILL");
        // The event may first go to the poll that the dead one left behind, and comes again 10 s later; a task of the
        // lifecycle that went to the dead one is repeated after 5 s.
        Eventually.activeWorker(elsewhere, before.path("epoch").asLong() + 1, SOON.multipliedBy(2));
        assertThat(elsewhere.delete("/v1/orders/rests").text("status")).isIn("CANCELED", "PENDING_CANCEL");
        Eventually.order(elsewhere, "rests", "CANCELED", SOON);
    }
}
