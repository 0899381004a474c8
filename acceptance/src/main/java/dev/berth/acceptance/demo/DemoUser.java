package dev.berth.acceptance.demo;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
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
    private Worker firstWorker;

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
            awaitOrder(order, state -> state.finalAt() != null);
        }
    }

    RestClient.JsonResponse submit(OrderBody order, int seconds) throws IOException, InterruptedException {
        orders.add(order.id());
        return trader.submit(order, seconds);
    }

    PlacedOrder await(String order, String status) throws IOException, InterruptedException {
        return awaitOrder(order, state -> state.isIn(status));
    }

    private PlacedOrder awaitOrder(String order, Predicate<PlacedOrder> condition)
            throws IOException, InterruptedException {
        return awaitThat("order " + order, () -> trader.order(order), condition);
    }

    Worker awaitWorkerAfter(long pid) throws IOException, InterruptedException {
        return awaitThat(
                "a worker of " + trader.user() + " after process " + pid,
                trader::worker,
                worker -> worker.isIn("ACTIVE") && worker.pid() != pid);
    }

    private interface Read<T> {
        T state() throws IOException, InterruptedException;
    }

    private static <T> T awaitThat(String what, Read<T> read, Predicate<T> condition)
            throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        T state = read.state();
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

    Worker firstWorker() {
        return firstWorker;
    }
}
