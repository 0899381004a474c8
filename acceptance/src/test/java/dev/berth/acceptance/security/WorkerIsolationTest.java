package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StackExtension.class)
class WorkerIsolationTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Stack stack;
    private final RedisKeyspace redis;

    WorkerIsolationTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
    }

    @Test
    @Tag("A1")
    @DisplayName("Three users have three processes; no environment, log or history holds a credential")
    void eachUserHasOneProcess() throws Exception {
        List<Long> pids = new ArrayList<>();
        for (String user : List.of("iso-ann", "iso-bob", "iso-cem")) {
            Trader trader = stack.trader(user);
            var bought = trader.submit(OrderBody.market("first", "AAPL", "buy", "1"), 60);
            assertThat(bought.text("status")).as("%s", bought.body()).isEqualTo("FILLED");
            long pid = trader.worker().pid();
            assertThat(Processes.lives(pid)).isTrue();
            assertThat(Processes.environment(pid))
                    .isNotEmpty()
                    .containsAnyOf(Map.entry("BERTH_USER_ID", "-1"), Map.entry("BERTH_USER_ID", user));
            pids.add(pid);
        }
        assertThat(pids).doesNotHaveDuplicates();
        TemporalCli temporal = new TemporalCli(stack);
        for (String user : List.of("iso-ann", "iso-bob", "iso-cem")) {
            String secret = "paper-" + user;
            for (long pid : pids) {
                assertThat(Processes.environment(pid).values()).doesNotContain(secret);
            }
            assertThat(logsWith(secret)).isEmpty();
            assertThat(temporal.payloads("worker:" + user)).contains(user).doesNotContain(secret);
        }
    }

    @Test
    @Tag("A1")
    @DisplayName("A process that served a user ends and never returns to the pool")
    void processServesOneUser() throws Exception {
        Trader trader = stack.trader("iso-once");
        Eventually.filled(trader, "one");
        Worker first = trader.worker();
        assertThat(trader.delete("/v1/worker").status()).isEqualTo(202);
        Eventually.ended(first.pid(), TIMEOUT);
        var again = trader.submit(OrderBody.market("two", "AAPL", "buy", "1"), 60);
        assertThat(again.text("status")).as("%s", again.body()).isEqualTo("FILLED");
        Worker second = trader.worker();
        assertThat(second.pid()).isNotEqualTo(first.pid());
        assertThat(second.taskArn()).isNotEqualTo(first.taskArn());
        assertThat(again.as(PlacedOrder.class).workerEpoch()).isGreaterThan(first.epoch());
    }

    @Test
    @Tag("A6")
    @DisplayName("A live worker renews its heartbeat key and metadata; its epoch does not expire")
    void workerRenewsHeartbeatKey() throws Exception {
        Trader trader = stack.trader("iso-heartbeat");
        Eventually.filled(trader, "one");
        Worker worker = trader.worker();
        String heartbeatKey = "worker:active:iso-heartbeat";
        String metadata = "worker:metadata:iso-heartbeat";
        String taskArn = worker.taskArn();
        assertThat(taskArn).endsWith("/" + redis.get(heartbeatKey));
        assertThat(redis.timeToLive(heartbeatKey)).isBetween(20_000L, 30_000L);
        assertThat(redis.timeToLive(metadata)).isBetween(20_000L, 30_000L);
        assertThat(redis.hash(metadata))
                .containsOnlyKeys(
                        "task_arn",
                        "instance_id",
                        "launched_at",
                        "epoch",
                        "version",
                        "host",
                        "pid",
                        "current_order",
                        "last_order_at",
                        "idle_at",
                        "sessions",
                        "requests_used")
                .containsEntry("task_arn", taskArn)
                .containsEntry("epoch", Long.toString(worker.epoch()))
                .containsEntry("host", worker.host())
                .containsEntry("pid", Long.toString(worker.pid()));
        assertThat(Instant.parse(redis.hash(metadata).get("launched_at"))).isBefore(Instant.now());
        assertThat(redis.get("worker:epoch:iso-heartbeat")).isEqualTo(Long.toString(worker.epoch()));
        assertThat(redis.timeToLive("worker:epoch:iso-heartbeat")).isEqualTo(-1);
        await().atMost(TIMEOUT).until(() -> redis.timeToLive(heartbeatKey) < 29_000);
        await().atMost(TIMEOUT).until(() -> redis.timeToLive(heartbeatKey) > 29_000);
        trader.delete("/v1/worker");
        await().atMost(TIMEOUT).until(() -> redis.get(heartbeatKey).isEmpty());
        // The lifecycle may already have raised the epoch.
        assertThat(Long.parseLong(redis.get("worker:epoch:iso-heartbeat"))).isGreaterThanOrEqualTo(worker.epoch());
    }

    @Test
    @Tag("A3")
    @DisplayName("Pool workers have user id -1 and a heartbeat key each; the pool refills after a claim")
    void poolRefillsAfterClaim() throws Exception {
        List<String> idle;
        Worker worker;
        int user = 0;
        // On a busy machine a claim may be answered too late and become void.
        do {
            idle = Eventually.fullPool(redis);
            for (String task : idle) {
                assertThat(Processes.environment(Processes.ofTask(task))).containsEntry("BERTH_USER_ID", "-1");
                assertThat(redis.timeToLive("worker:active:-1:" + task)).isBetween(20_000L, 30_000L);
            }
            Trader trader = stack.trader("iso-claim-" + user);
            Eventually.filled(trader, "one");
            worker = trader.worker();
        } while (!"CLAIM".equals(worker.origin()) && ++user < 3);
        assertThat(worker.origin()).as("%s", worker).isEqualTo("CLAIM");
        assertThat(idle).contains(worker.taskId());
        assertThat(Eventually.fullPool(redis)).doesNotContain(worker.taskId());
    }

    private List<Path> logsWith(String text) throws IOException {
        try (Stream<Path> logs = Files.list(stack.home().resolve("log"))) {
            List<Path> found = new ArrayList<>();
            for (Path log : logs.toList()) {
                if (Files.readString(log, StandardCharsets.ISO_8859_1).contains(text)) {
                    found.add(log);
                }
            }
            return found;
        }
    }
}
