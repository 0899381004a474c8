package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/** A user of a measurement. */
public record BenchUser(Trader trader) {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /** Each poll queries the workflow: ten users polled every 10 ms would take both cores. */
    private static final long POLL_MILLIS = 100;

    private static final long ORDER_POLL_MILLIS = 50;

    static BenchUser fresh(Stack stack) throws IOException, InterruptedException {
        return new BenchUser(
                stack.trader("bench-" + UUID.randomUUID().toString().substring(0, 8)));
    }

    static List<BenchUser> fresh(Stack stack, int number) throws IOException, InterruptedException {
        List<BenchUser> users = new ArrayList<>();
        while (users.size() < number) {
            users.add(fresh(stack));
        }
        return users;
    }

    public String name() {
        return trader.user();
    }

    void start() throws IOException, InterruptedException {
        trader.post("/v1/worker");
    }

    void stop() throws IOException, InterruptedException {
        trader.delete("/v1/worker");
    }

    /** Stops all workers and waits for their end. */
    static void stop(List<BenchUser> users) throws IOException, InterruptedException {
        for (BenchUser user : users) {
            user.stop();
        }
        for (BenchUser user : users) {
            user.awaitEnd();
        }
    }

    /** Waits for an active worker with at least this epoch. */
    Worker awaitActive(long epoch) throws IOException, InterruptedException {
        return await(worker -> worker.isServing() && worker.epoch() >= epoch);
    }

    void awaitEnd() throws IOException, InterruptedException {
        await(worker -> worker.isIn("TERMINATED"));
    }

    /** Waits until the order is final, at most until the deadline. */
    PlacedOrder awaitFinal(String id, Instant deadline) throws IOException, InterruptedException {
        return awaitFinal(id, deadline, false);
    }

    /** Waits like {@link #awaitFinal} and cancels a resting order. */
    PlacedOrder cancelUntilFinal(String id, Instant deadline) throws IOException, InterruptedException {
        return awaitFinal(id, deadline, true);
    }

    private PlacedOrder awaitFinal(String id, Instant deadline, boolean cancels)
            throws IOException, InterruptedException {
        PlacedOrder order = trader.order(id);
        while (order.finalAt() == null && Instant.now().isBefore(deadline)) {
            if (cancels && order.isIn("NEW")) {
                trader.delete("/v1/orders/" + id);
            }
            Thread.sleep(ORDER_POLL_MILLIS);
            order = trader.order(id);
        }
        return order;
    }

    private Worker await(Predicate<Worker> condition) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        Worker worker = trader.worker();
        while (!condition.test(worker)) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("the worker did not reach the expected state: " + worker);
            }
            Thread.sleep(POLL_MILLIS);
            worker = trader.worker();
        }
        return worker;
    }
}
