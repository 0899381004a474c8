package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
import dev.berth.acceptance.Trader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/** A user who is part of a measurement and of nothing else. */
public record BenchUser(Trader trader) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Each look asks the workflow: ten users looked at every 10 ms would take both cores from what they wait for. */
    private static final long LOOK_AGAIN_MILLIS = 100;

    private static final long LOOK_FOR_END_MILLIS = 50;

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

    /** Stops all and waits until each is gone. */
    static void stop(List<BenchUser> users) throws IOException, InterruptedException {
        for (BenchUser user : users) {
            user.stop();
        }
        for (BenchUser user : users) {
            user.awaitEnd();
        }
    }

    /** The worker, once it serves with at least this epoch. */
    JsonNode awaitActive(long epoch) throws IOException, InterruptedException {
        return await(worker -> isActive(worker) && worker.path("epoch").asLong() >= epoch);
    }

    void awaitEnd() throws IOException, InterruptedException {
        await(BenchUser::isEnded);
    }

    /** With an order in hand it is called PROCESSING. */
    static boolean isActive(JsonNode worker) {
        String state = worker.path("state").asText();
        return state.equals("ACTIVE") || state.equals("PROCESSING");
    }

    static boolean isEnded(JsonNode worker) {
        return worker.path("state").asText().equals("TERMINATED");
    }

    /** The order once it is final; when that takes longer, as it is by then. */
    JsonNode awaitFinal(String id, Instant deadline) throws IOException, InterruptedException {
        return awaitFinal(id, deadline, false);
    }

    /** The same; what rests would never be final, and is canceled. */
    JsonNode cancelUntilFinal(String id, Instant deadline) throws IOException, InterruptedException {
        return awaitFinal(id, deadline, true);
    }

    private JsonNode awaitFinal(String id, Instant deadline, boolean cancels) throws IOException, InterruptedException {
        JsonNode order = trader.order(id);
        while (!order.hasNonNull("finalAt") && Instant.now().isBefore(deadline)) {
            if (cancels && order.path("status").asText().equals("NEW")) {
                trader.delete("/v1/orders/" + id);
            }
            Thread.sleep(LOOK_FOR_END_MILLIS);
            order = trader.order(id);
        }
        return order;
    }

    private JsonNode await(Predicate<JsonNode> condition) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        JsonNode worker = trader.worker();
        while (!condition.test(worker)) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("waited in vain for another state: " + worker);
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
            worker = trader.worker();
        }
        return worker;
    }
}
