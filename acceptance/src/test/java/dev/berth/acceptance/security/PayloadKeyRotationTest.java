package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StackExtension.class)
class PayloadKeyRotationTest {
    private static final Duration ANNOUNCED = Duration.ofSeconds(12);
    private static final Duration ROTATED = Duration.ofSeconds(60);

    private final Stack stack;
    private final Trader trader;
    private final TemporalCli stored;
    private int orders;

    PayloadKeyRotationTest(Stack stack) throws Exception {
        this.stack = stack;
        this.trader = stack.trader("rotation");
        this.stored = new TemporalCli(stack, false);
    }

    @Test
    @Tag("X13")
    @DisplayName("A new master key reaches API and gateway without a restart, and no order fails meanwhile")
    void newKeyReachesRunningProcesses() throws Exception {
        String before = keyOfNextAnswer();
        Worker worker = trader.worker();
        Path file = stack.home().resolve("codec.key");
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        Instant from = Instant.now().plus(ANNOUNCED).truncatedTo(ChronoUnit.SECONDS);
        String line = from + " " + Base64.getEncoder().encodeToString(key) + "\n";
        Files.writeString(file, line, StandardOpenOption.APPEND);
        await().atMost(ROTATED).until(() -> !keyOfNextAnswer().equals(before));
        assertThat(trader.worker().pid()).isEqualTo(worker.pid());
        assertThat(trader.worker().epoch()).isEqualTo(worker.epoch());
        TemporalCli temporal = new TemporalCli(stack);
        assertThat(temporal.payloads("order:rotation:o-1")).contains("AAPL");
        assertThat(temporal.payloads("order:rotation:o-" + orders)).contains("AAPL");
    }

    /** The key with which the worker's answer to one more order is encrypted. */
    private String keyOfNextAnswer() throws Exception {
        String id = "o-" + ++orders;
        var answer = trader.submit(OrderBody.market(id, "AAPL", "buy", "1"), 60);
        assertThat(answer.text("status")).as("%s", answer.body()).isEqualTo("FILLED");
        // The order's answer may come before that of its activity.
        stored.awaitCompleted("order:rotation:" + id, "submitOrder", Duration.ofSeconds(20));
        return stored.history("order:rotation:" + id).stream()
                .flatMap(event -> event.results().stream())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no activity of " + id + " has a result"))
                .metadata("encryption-key-id");
    }
}
