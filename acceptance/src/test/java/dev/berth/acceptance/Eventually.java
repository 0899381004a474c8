package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Waits until what REST shows is as it should be, and answers it. */
final class Eventually {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    /** A pool that found no room asks again after up to 40 s; what it has too many of ends after 30 s. */
    static final Duration POOL_FILLS = Duration.ofMinutes(2);

    private Eventually() {}

    /** A user whose worker has just filled an order. */
    static Trader trading(Stack stack, String user) throws IOException, InterruptedException {
        Trader trader = stack.trader(user);
        var order = trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 20);
        assertThat(order.text("status")).as("%s", order.body()).isEqualTo("FILLED");
        return trader;
    }

    /** The order, once it has this status. */
    static JsonNode order(Trader trader, String id, String status, Duration patience) {
        return value(
                patience,
                () -> trader.order(id),
                order -> assertThat(order.path("status").asText())
                        .as("%s", order)
                        .isEqualTo(status));
    }

    /** Waits until the executions in the order's ledger add up to this. */
    static void fills(Trader trader, String id, String quantity) {
        value(
                Duration.ofSeconds(20),
                () -> trader.get("/v1/orders/" + id + "/fills").body(),
                fills -> assertThat(fills.findValuesAsText("quantity").stream()
                                .map(BigDecimal::new)
                                .reduce(BigDecimal.ZERO, BigDecimal::add))
                        .as("%s", fills)
                        .isEqualByComparingTo(quantity));
    }

    /** The worker, once it is active with at least this epoch. */
    static JsonNode activeWorker(Trader trader, long epoch, Duration patience) {
        return value(patience, trader::worker, worker -> {
            assertThat(worker.path("state").asText()).as("%s", worker).isEqualTo("ACTIVE");
            assertThat(worker.path("epoch").asLong()).as("%s", worker).isGreaterThanOrEqualTo(epoch);
        });
    }

    /** The worker, once it is in this state. */
    static JsonNode worker(Trader trader, String state, Duration patience) {
        return value(
                patience,
                trader::worker,
                worker -> assertThat(worker.path("state").asText())
                        .as("%s", worker)
                        .isEqualTo(state));
    }

    /** What reached the venue from this user, once it is so many. */
    static List<Venue.Arrival> arrivals(Venue venue, Trader trader, int number) {
        return value(
                Duration.ofSeconds(60),
                () -> venue.arrivals(trader),
                arrivals -> assertThat(arrivals).hasSizeGreaterThanOrEqualTo(number));
    }

    /** The idle pool workers, once there are as many as there should be. */
    static List<String> fullPool(RedisKeyspace redis) {
        return value(
                POOL_FILLS, redis::idlePoolWorkers, idle -> assertThat(idle).hasSize(2));
    }

    /** Cancels what earlier tests left waiting, which would fill ceilings; at its deadline it ends in any case. */
    static void nothingWaits(Stack stack) {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        await().atMost(Duration.ofSeconds(150))
                .pollInterval(Duration.ofSeconds(1))
                .pollDelay(Duration.ZERO)
                .untilAsserted(() -> {
                    List<String> waiting = redis.sorted("orders:active");
                    for (String order : waiting) {
                        String[] parts = order.split(":", 2);
                        stack.trader(parts[0]).delete("/v1/orders/" + parts[1]);
                    }
                    assertThat(waiting).isEmpty();
                });
    }

    /** Until all of the pool, and what still becomes of it, is of the newest revision; ends the others. */
    static void renewedPool(Stack stack) throws IOException, InterruptedException {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        Ecs ecs = Ecs.of(stack);
        UserTasks tasks = UserTasks.of(stack);
        JsonNode newest = ecs.definition().path("taskDefinitionArn");
        await().atMost(POOL_FILLS).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            List<String> pool = new ArrayList<>();
            for (JsonNode task : tasks.ofThePool()) {
                String id = Ecs.idOf(task);
                if (task.path("taskDefinitionArn").equals(newest)) {
                    pool.add(id);
                } else {
                    ecs.stop(id);
                }
            }
            assertThat(redis.idlePoolWorkers()).hasSize(2).containsExactlyInAnyOrderElementsOf(pool);
        });
    }

    /** Takes all hosts away, and with them every pool worker: one that still starts could be claimed later. */
    static void emptyPool(Stack stack) throws IOException, InterruptedException {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        Ecs ecs = Ecs.of(stack);
        UserTasks tasks = UserTasks.of(stack);
        ecs.hosts(0);
        await().atMost(POOL_FILLS).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            List<JsonNode> pool = tasks.ofThePool();
            for (JsonNode task : pool) {
                ecs.stop(Ecs.idOf(task));
            }
            assertThat(pool).isEmpty();
            assertThat(redis.idlePoolWorkers()).isEmpty();
        });
    }

    /** The idle pool workers, once there are enough; for a while there may be more. */
    static List<String> idlePool(RedisKeyspace redis) {
        return value(
                POOL_FILLS, redis::idlePoolWorkers, idle -> assertThat(idle).hasSizeGreaterThanOrEqualTo(2));
    }

    /** The tasks of a user, once there are so many. */
    static List<String> tasks(UserTasks tasks, Trader trader, int number, Duration patience) {
        return value(
                patience,
                () -> tasks.running(trader),
                now -> assertThat(now).as(trader.user()).hasSize(number));
    }

    static void ended(long pid, Duration patience) {
        value(
                patience,
                () -> Processes.lives(pid),
                lives -> assertThat(lives).as("process %d lives", pid).isFalse());
    }

    private static <T> T value(Duration patience, Callable<T> question, Consumer<T> expectation) {
        List<T> seen = new ArrayList<>();
        await().atMost(patience).pollInterval(LOOK_AGAIN).untilAsserted(() -> {
            T now = question.call();
            expectation.accept(now);
            seen.add(now);
        });
        return seen.getLast();
    }
}
