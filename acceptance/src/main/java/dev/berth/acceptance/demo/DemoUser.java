package dev.berth.acceptance.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** One user of the demo: submits, cancels, and remembers what was submitted. */
final class DemoUser {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Trader trader;
    private final String prefix;
    private final List<String> orders = new ArrayList<>();
    private long firstAnswerMillis;
    private JsonNode firstWorker;

    DemoUser(Trader trader, String prefix) throws IOException, InterruptedException {
        this.trader = trader;
        this.prefix = prefix;
        this.firstWorker = trader.worker();
    }

    /** A market order, which starts the user's worker. */
    void begin() throws IOException, InterruptedException {
        Instant begin = Instant.now();
        submit(OrderBody.market(id("market"), "AAPL", "buy", "10"), 30);
        firstAnswerMillis = Duration.between(begin, Instant.now()).toMillis();
        firstWorker = trader.worker();
    }

    /** A limit order that rests and is canceled, one that the venue refuses, and one more. */
    void trade() throws IOException, InterruptedException {
        submit(OrderBody.limit(id("limit"), "MSFT", "buy", "5", "90.00"), 30);
        trader.delete("/v1/orders/" + id("limit"));
        submit(OrderBody.market(id("refused"), "TSLA", "buy", "900000000"), 30);
        if (!trader.user().equals("bob")) {
            submit(OrderBody.market(id("sell"), "AAPL", "sell", "4"), 30);
        }
        for (String order : orders) {
            awaitOrder(order, state -> !state.path("finalAt").isNull());
        }
    }

    RestClient.JsonResponse submit(OrderBody order, int seconds) throws IOException, InterruptedException {
        orders.add(order.id());
        return trader.submit(order, seconds);
    }

    JsonNode await(String order, String status) throws IOException, InterruptedException {
        return awaitOrder(order, state -> state.path("status").asText().equals(status));
    }

    private JsonNode awaitOrder(String order, Predicate<JsonNode> condition) throws IOException, InterruptedException {
        return awaitThat("order " + order, () -> trader.order(order), condition);
    }

    JsonNode awaitWorkerAfter(long pid) throws IOException, InterruptedException {
        return awaitThat(
                "a worker of " + trader.user() + " after process " + pid,
                trader::worker,
                worker -> worker.path("state").asText().equals("ACTIVE")
                        && worker.path("pid").asLong() != pid);
    }

    private interface Read {
        JsonNode state() throws IOException, InterruptedException;
    }

    private static JsonNode awaitThat(String what, Read read, Predicate<JsonNode> condition)
            throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        JsonNode state = read.state();
        while (!condition.test(state)) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("waited in vain for " + what + ": " + state);
            }
            Thread.sleep(25);
            state = read.state();
        }
        return state;
    }

    String id(String name) {
        return prefix + "-" + name;
    }

    Trader trader() {
        return trader;
    }

    List<String> orders() {
        return orders;
    }

    long firstAnswerMillis() {
        return firstAnswerMillis;
    }

    JsonNode firstWorker() {
        return firstWorker;
    }
}
