package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker that dies as often as it is started. */
@ExtendWith(OnTheStack.class)
class CrashLoopTest {
    /** More than this many within 10 min are too many. */
    private static final int DEATHS = 5;

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(30);

    private final Trader trader;
    private final Operator operator;
    private final TemporalCli temporal;
    private final RedisKeyspace redis;

    CrashLoopTest(Stack stack) throws Exception {
        this.trader = Eventually.trading(stack, "crash-loop");
        this.operator = Operator.of(stack);
        this.temporal = new TemporalCli(stack);
        this.redis = RedisKeyspace.of(stack);
    }

    @Test
    @DisplayName("A13 a worker that died six times within 10 min goes to attention, and its next start waits")
    void diesTooOften() throws Exception {
        for (int death = 1; death <= DEATHS; death++) {
            kill();
            int died = death;
            await().atMost(SOON).until(() -> isBack(died));
        }
        assertThat(attended()).isZero();

        kill();
        await().atMost(SOON).until(() -> reason().startsWith("It died too often, lately: "));
        JsonNode held = trader.worker();
        assertThat(held.path("state").asText()).isEqualTo("RECONNECTING");
        assertThat(held.path("crashLooping").asBoolean()).isTrue();
        assertThat(Duration.between(
                        Instant.parse(held.path("since").asText()),
                        Instant.parse(held.path("next").path("at").asText())))
                .isEqualTo(FIRST_PAUSE);
        assertThat(temporal.details("worker:crash-loop")).contains("look at its log");
        // A claim that the dead one took, and had no time to delete, comes again and must be void.
        assertThat(redis.get("worker:epoch:crash-loop"))
                .isEqualTo(Long.toString(held.path("epoch").asLong() + 1));
        await().atMost(SOON).until(() -> attended() == 1);
    }

    private void kill() throws Exception {
        Processes.signal(trader.worker().path("pid").asLong(), "KILL");
    }

    private String reason() throws Exception {
        return trader.worker().path("reason").asText();
    }

    private boolean isBack(int deaths) throws Exception {
        JsonNode worker = trader.worker();
        return worker.path("deaths").asInt() == deaths
                && worker.path("state").asText().equals("ACTIVE");
    }

    /** How many workers of this user wait for a person. */
    private int attended() throws Exception {
        return operator.get("/attention?kind=worker&userId=crash-loop")
                .body()
                .path("items")
                .size();
    }
}
