package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.UserTasks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redis around a failover: it answers {@code READONLY} for a while, or lacks the last writes. */
@Tag("long")
@ExtendWith(StackExtension.class)
class RedisReplicaTest {
    private static final Logger LOG = LoggerFactory.getLogger(RedisReplicaTest.class);
    private static final int USERS = 3;
    private static final Duration READ_ONLY = Duration.ofSeconds(15);
    /** docs/settings.md says 5 s; beside other tests a little more. */
    private static final Duration SERVED = Duration.ofSeconds(15);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Stack stack;
    private final RedisKeyspace redis;

    RedisReplicaTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
    }

    @AfterEach
    void restoreRedis() throws IOException {
        redis.setReplica(false);
    }

    @Test
    @Tag("X22")
    @DisplayName("While Redis refuses writes no worker is replaced, and no epoch changes; then orders fill at once")
    void readOnlyRedisReplacesNoWorker() throws Exception {
        List<Trader> traders = new ArrayList<>();
        List<Worker> before = new ArrayList<>();
        for (int number = 0; number < USERS; number++) {
            traders.add(Eventually.trading(stack, "redis-replica-" + number));
            before.add(traders.getLast().worker());
        }
        redis.setReplica(true);
        assertThat(traders.getFirst()
                        .submit(OrderBody.market("refused", "AAPL", "buy", "1").json())
                        .status())
                .isEqualTo(503);
        await().during(READ_ONLY).atMost(READ_ONLY.multipliedBy(3)).untilAsserted(() -> {
            for (int number = 0; number < USERS; number++) {
                requireKept(traders.get(number), before.get(number));
            }
        });
        redis.setReplica(false);
        Instant writable = Instant.now();
        for (Trader trader : traders) {
            await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(50)).until(() -> isFilled(trader));
            LOG.warn(
                    "{}: an order is filled {} ms after Redis takes writes again",
                    trader.user(),
                    Duration.between(writable, Instant.now()).toMillis());
        }
        assertThat(Duration.between(writable, Instant.now())).isLessThan(SERVED);
        for (int number = 0; number < USERS; number++) {
            requireKept(traders.get(number), before.get(number));
            stack.berth("verify", "--user", traders.get(number).user());
        }
    }

    /** Replication is asynchronous: a new primary may lack the last writes. */
    @Test
    @Tag("X22")
    @DisplayName("When a failover loses a user's last epoch the next worker still gets a later one")
    void lostEpochIsNotGivenAgain() throws Exception {
        Trader trader = Eventually.trading(stack, "redis-epoch");
        Worker first = trader.worker();
        Processes.signal(first.pid(), "KILL");
        Worker second = Eventually.successor(trader, first, TIMEOUT);
        redis.set(Map.of("worker:epoch:redis-epoch", Long.toString(first.epoch())));
        Processes.signal(second.pid(), "KILL");
        Instant killed = Instant.now();
        Worker third = Eventually.successor(trader, second, TIMEOUT);
        LOG.warn(
                "{}: ACTIVE again {} ms after the kill, with epoch {}",
                trader.user(),
                Duration.between(killed, Instant.now()).toMillis(),
                third.epoch());
        Eventually.filled(trader, "after");
        assertThat(redis.get("worker:epoch:redis-epoch")).isEqualTo(Long.toString(third.epoch()));
        stack.berth("verify", "--user", trader.user());
    }

    /** A refused order was not accepted, so its id may be sent again. */
    private static boolean isFilled(Trader trader) throws Exception {
        JsonResponse answer = trader.submit(OrderBody.market("after", "AAPL", "buy", "1"), 10);
        return answer.status() < 300 && answer.text("status").equals("FILLED");
    }

    private void requireKept(Trader trader, Worker before) throws Exception {
        assertThat(redis.get("worker:epoch:" + trader.user())).isEqualTo(Long.toString(before.epoch()));
        assertThat(Processes.lives(before.pid())).isTrue();
        assertThat(UserTasks.of(stack).running(trader)).containsExactly(before.taskId());
    }
}
