package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.webhook.WebhookReceiver;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker dies as often as it is started. */
@Tag("long")
@ExtendWith(StackExtension.class)
class CrashLoopTest {
    /** More deaths than this within 10 min are a crash loop. */
    private static final int DEATHS = 5;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(30);

    private final Trader trader;
    private final FleetOperator operator;
    private final TemporalCli temporal;
    private final RedisKeyspace redis;
    private final WebhookReceiver receiver;

    CrashLoopTest(Stack stack) throws Exception {
        this.trader = Eventually.trading(stack, "crash-loop");
        this.operator = FleetOperator.of(stack);
        this.temporal = new TemporalCli(stack);
        this.redis = RedisKeyspace.of(stack);
        this.receiver = WebhookReceiver.start();
        operator.put("/webhooks/crash", "{\"url\":\"%s\",\"events\":[\"worker.attention\"]}".formatted(receiver.url()));
    }

    @AfterEach
    void stopReceiver() throws Exception {
        operator.delete("/webhooks/crash");
        receiver.close();
    }

    @Test
    @Tag("A13")
    @Tag("D12")
    @DisplayName("A worker that dies six times within 10 min needs attention, of which the operators are told, and its"
            + " next start waits")
    void sixthDeathDelaysNextStart() throws Exception {
        for (int death = 1; death <= DEATHS; death++) {
            kill();
            int died = death;
            await().atMost(TIMEOUT).until(() -> isActiveAfter(died));
        }
        assertThat(attentionCount()).isZero();

        kill();
        await().atMost(TIMEOUT).until(() -> reason().startsWith("It died too often, lately: "));
        Worker delayed = trader.worker();
        assertThat(delayed.state()).isEqualTo("RECONNECTING");
        assertThat(delayed.crashLooping()).isTrue();
        assertThat(Duration.between(delayed.since(), delayed.next().at())).isEqualTo(FIRST_PAUSE);
        assertThat(temporal.details("worker:crash-loop")).contains("look at its log");
        assertThat(redis.get("worker:epoch:crash-loop")).isEqualTo(Long.toString(delayed.epoch() + 1));
        await().atMost(TIMEOUT).until(() -> attentionCount() == 1);
        await().atMost(TIMEOUT).until(() -> !receiver.calls().isEmpty());
        assertThat(receiver.calls()).hasSize(1);
        assertThat(receiver.calls().getFirst().body())
                .contains("\"type\":\"worker.attention\"", "\"userId\": \"crash-loop\"");
    }

    private void kill() throws Exception {
        Processes.signal(trader.worker().pid(), "KILL");
    }

    private String reason() throws Exception {
        return Objects.requireNonNullElse(trader.worker().reason(), "");
    }

    private boolean isActiveAfter(int deaths) throws Exception {
        Worker worker = trader.worker();
        return worker.deaths() == deaths && worker.isIn("ACTIVE");
    }

    private int attentionCount() throws Exception {
        return operator.get("/attention?kind=worker&userId=crash-loop")
                .page(Worker.class)
                .items()
                .size();
    }
}
