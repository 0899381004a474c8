package dev.berth.acceptance.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Waits until the stack reaches an expected state, and returns that state. */
public final class Eventually {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    /** A pool without room retries after up to 40 s; excess workers end after 30 s. */
    public static final Duration POOL_FILLS = Duration.ofMinutes(2);

    private Eventually() {}

    /** A user whose worker has filled an order. */
    public static Trader trading(Stack stack, String user) throws IOException, InterruptedException {
        Trader trader = stack.trader(user);
        filled(trader, "warm");
        return trader;
    }

    public static PlacedOrder order(Trader trader, String id, String status, Duration timeout) {
        return value(
                        timeout,
                        () -> trader.get("/v1/orders/" + id),
                        answer -> assertThat(answer.text("status"))
                                .as("%s", answer.body())
                                .isEqualTo(status))
                .as(PlacedOrder.class);
    }

    /** Buys one share and requires the fill. */
    public static PlacedOrder filled(Trader trader, String id) throws IOException, InterruptedException {
        JsonResponse answer = trader.submit(OrderBody.market(id, "AAPL", "buy", "1"), 60);
        assertThat(answer.text("status")).as("%s", answer.body()).isEqualTo("FILLED");
        return answer.as(PlacedOrder.class);
    }

    /** Cancels an order that rests: the venue may confirm it after the answer. */
    public static PlacedOrder canceled(Trader trader, String id, Duration timeout)
            throws IOException, InterruptedException {
        JsonResponse answer = trader.delete("/v1/orders/" + id);
        assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
        return order(trader, id, "CANCELED", timeout);
    }

    /** Waits until the order's executions add up to this quantity. */
    public static void fills(Trader trader, String id, String quantity) {
        value(
                Duration.ofSeconds(20),
                () -> trader.get("/v1/orders/" + id + "/fills"),
                answer -> assertThat(answer.list(PlacedOrder.Fill.class).stream()
                                .map(fill -> new BigDecimal(fill.quantity()))
                                .reduce(BigDecimal.ZERO, BigDecimal::add))
                        .as("%s", answer.body())
                        .isEqualByComparingTo(quantity));
    }

    /** Waits for an active worker with a later epoch than this one. */
    public static Worker successor(Trader trader, Worker worker, Duration timeout) {
        return activeWorker(trader, worker.epoch() + 1, timeout);
    }

    /** Waits for an active worker with at least this epoch. */
    public static Worker activeWorker(Trader trader, long epoch, Duration timeout) {
        return value(timeout, () -> trader.get("/v1/worker"), answer -> {
                    assertThat(answer.text("state")).as("%s", answer.body()).isEqualTo("ACTIVE");
                    assertThat(answer.as(Worker.class).epoch())
                            .as("%s", answer.body())
                            .isGreaterThanOrEqualTo(epoch);
                })
                .as(Worker.class);
    }

    public static Worker worker(Trader trader, String state, Duration timeout) {
        return value(
                        timeout,
                        () -> trader.get("/v1/worker"),
                        answer -> assertThat(answer.text("state"))
                                .as("%s", answer.body())
                                .isEqualTo(state))
                .as(Worker.class);
    }

    /** Waits until at least this many submissions of the user have reached the venue. */
    public static List<Venue.Arrival> arrivals(Venue venue, Trader trader, int number) {
        return value(
                Duration.ofSeconds(60),
                () -> venue.arrivals(trader),
                arrivals -> assertThat(arrivals).hasSizeGreaterThanOrEqualTo(number));
    }

    /** Waits until the pool has its target number of idle workers. */
    public static List<String> fullPool(RedisKeyspace redis) {
        return value(
                POOL_FILLS, redis::idlePoolWorkers, idle -> assertThat(idle).hasSize(2));
    }

    /** Cancels the waiting orders of earlier tests, which would fill the ceilings. */
    public static void noActiveOrders(Stack stack) {
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

    /** Stops pool workers of older task definitions and waits for a pool of the newest. */
    public static void poolOfNewestRevision(Stack stack) throws IOException, InterruptedException {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        EcsApi ecs = EcsApi.of(stack);
        UserTasks tasks = UserTasks.of(stack);
        String newest = ecs.definitionArn();
        await().atMost(POOL_FILLS).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            List<String> pool = new ArrayList<>();
            for (EcsTask task : tasks.ofThePool()) {
                if (newest.equals(task.taskDefinitionArn())) {
                    pool.add(task.id());
                } else {
                    ecs.stop(task.id());
                }
            }
            assertThat(redis.idlePoolWorkers()).hasSize(2).containsExactlyInAnyOrderElementsOf(pool);
        });
    }

    /** Removes all hosts and every pool worker, also those that still start. */
    public static void emptyPool(Stack stack) throws IOException, InterruptedException {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        EcsApi ecs = EcsApi.of(stack);
        UserTasks tasks = UserTasks.of(stack);
        ecs.hosts(0);
        await().atMost(POOL_FILLS).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            List<EcsTask> pool = tasks.ofThePool();
            for (EcsTask task : pool) {
                ecs.stop(task.id());
            }
            assertThat(pool).isEmpty();
            assertThat(redis.idlePoolWorkers()).isEmpty();
        });
    }

    /** Waits until the pool has at least its target number of idle workers. */
    public static List<String> idlePool(RedisKeyspace redis) {
        return value(
                POOL_FILLS, redis::idlePoolWorkers, idle -> assertThat(idle).hasSizeGreaterThanOrEqualTo(2));
    }

    /** Waits until the user has this number of tasks. */
    public static List<String> tasks(UserTasks tasks, Trader trader, int number, Duration timeout) {
        return value(
                timeout,
                () -> tasks.running(trader),
                now -> assertThat(now).as(trader.user()).hasSize(number));
    }

    public static void ended(long pid, Duration timeout) {
        value(
                timeout,
                () -> Processes.lives(pid),
                lives -> assertThat(lives).as("process %d lives", pid).isFalse());
    }

    private static <T> T value(Duration timeout, Callable<T> read, Consumer<T> expectation) {
        List<T> seen = new ArrayList<>();
        await().atMost(timeout).pollInterval(POLL_INTERVAL).untilAsserted(() -> {
            T now = read.call();
            expectation.accept(now);
            seen.add(now);
        });
        return seen.getLast();
    }
}
