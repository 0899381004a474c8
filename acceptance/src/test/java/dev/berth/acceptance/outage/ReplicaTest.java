package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two API and orchestrator processes run side by side. */
@ExtendWith(StackExtension.class)
class ReplicaTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Stack stack;
    private ApiReplica second;

    ReplicaTest(Stack stack) {
        this.stack = stack;
    }

    @BeforeEach
    void startSecond() throws Exception {
        second = ApiReplica.start(stack, Map.of());
    }

    @AfterEach
    void stopSecond() throws Exception {
        stack.berth("up");
        second.close();
        second.process().waitFor();
    }

    private long first() throws IOException {
        return stack.process("api").pid();
    }

    @Test
    @Tag("B7")
    @DisplayName("Two replicas receive the same death, and one worker replaces the dead one")
    void twoReplicasReplaceWorkerOnce() throws Exception {
        Trader trader = Eventually.trading(stack, "replica-death");
        Worker before = trader.worker();
        Processes.signal(before.pid(), "KILL");
        Worker after = Eventually.successor(trader, before, TIMEOUT);
        assertThat(after.deaths()).isEqualTo(1);
        assertThat(second.of(trader).worker().pid()).isEqualTo(after.pid());
        assertThat(second.of(trader)
                        .submit(OrderBody.market("two", "AAPL", "buy", "1"), 60)
                        .text("status"))
                .isEqualTo("FILLED");
    }

    @Test
    @Tag("B7")
    @DisplayName("When a replica is killed, the other takes its orders and replaces workers")
    void remainingReplicaTakesOver() throws Exception {
        Trader trader = stack.trader("replica-killed");
        Trader viaSecond = second.of(trader);
        assertThat(trader.submit(OrderBody.limit("rests", "TSLA", "buy", "1", "90"), 60)
                        .text("status"))
                .isEqualTo("NEW");
        long first = first();
        Processes.signal(first, "KILL");
        Eventually.ended(first, TIMEOUT);
        Eventually.filled(viaSecond, "two");
        Worker before = viaSecond.worker();
        Processes.signal(before.pid(), "KILL");
        // SQS may deliver the event to the dead replica's poll and repeats it after 10 s; Temporal
        // repeats a workflow task after 5 s.
        Eventually.successor(viaSecond, before, TIMEOUT.multipliedBy(2));
        assertThat(viaSecond.delete("/v1/orders/rests").text("status")).isIn("CANCELED", "PENDING_CANCEL");
        Eventually.order(viaSecond, "rests", "CANCELED", TIMEOUT);
    }
}
