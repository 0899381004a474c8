package dev.berth.acceptance.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.workflows.TraceContext;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures orders whose spans are exported against orders whose client marked the trace as not
 * sampled, in turn in the same processes. The receiver discards what it gets.
 */
final class TracingCost {
    private static final int WARM_UP = 60;
    /** The export sends a batch every five seconds. */
    private static final Duration LAST_BATCH = Duration.ofSeconds(15);

    private final Stack stack;
    private final int rounds;
    private final Times with = new Times(new Measurements(), new Measurements());
    private final Times without = new Times(new Measurements(), new Measurements());
    private final AtomicLong received = new AtomicLong();

    /**
     * Times of the orders with spans, or of those without.
     *
     * @param accepted until the order is at the venue
     * @param posted until the answer is received
     */
    private record Times(Measurements accepted, Measurements posted) {
        void print(String suffix) {
            ResultTable.row("order, accepted to at the venue" + suffix, accepted, Goal.NONE);
            ResultTable.row("order, POST sent to answer received" + suffix, posted, Goal.NONE);
        }
    }

    private record Accepted(Times times, Instant time) {}

    TracingCost(Stack stack, int rounds) {
        this.stack = stack;
        this.rounds = rounds;
    }

    void measure() throws IOException, InterruptedException {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/v1/traces", this::discard);
        receiver.start();
        try {
            for (String name : List.of("gateway-watch", "gateway", "api")) {
                stack.process(name).kill();
            }
            String endpoint = "http://127.0.0.1:" + receiver.getAddress().getPort();
            stack.with(Map.of("BERTH_OTLP_ENDPOINT", endpoint)).berth("up");
            measureInTurn(stack.trader("bench"));
            Instant deadline = Instant.now().plus(LAST_BATCH);
            while (received.get() == 0 && Instant.now().isBefore(deadline)) {
                Thread.sleep(100);
            }
        } finally {
            receiver.stop(0);
        }
    }

    private void measureInTurn(Trader trader) throws IOException, InterruptedException {
        Map<String, Accepted> orders = new HashMap<>();
        for (int round = -WARM_UP; round < rounds; round++) {
            for (boolean sampled : new boolean[] {round % 2 == 0, round % 2 != 0}) {
                String id = "traced-" + UUID.randomUUID();
                Instant begin = Instant.now();
                PlacedOrder order = trader.submit(
                                OrderBody.market(id, "SPY", "buy", "1").json(),
                                "Prefer",
                                "wait=10",
                                TraceContext.HEADER,
                                TraceContext.start(sampled).toString())
                        .as(PlacedOrder.class);
                if (round >= 0) {
                    Times times = sampled ? with : without;
                    times.posted().add(OrderLatency.millis(begin, Instant.now()));
                    orders.put(id, new Accepted(times, order.submittedAt()));
                }
            }
        }
        OrderLatency.arrivals(stack).forEach((id, arrived) -> {
            Accepted order = orders.get(id);
            if (order != null) {
                order.times().accepted().add(OrderLatency.millis(order.time(), arrived));
            }
        });
    }

    private void discard(HttpExchange call) throws IOException {
        received.addAndGet(call.getRequestBody().transferTo(OutputStream.nullOutputStream()));
        call.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        call.sendResponseHeaders(200, -1);
        call.close();
    }

    void print() {
        without.print(", no spans");
        with.print(", spans");
        ResultTable.note(
                "median, spans to no spans: accepted to at the venue %.2f, POST sent to answer received %.2f",
                with.accepted().median() / without.accepted().median(),
                with.posted().median() / without.posted().median());
        ResultTable.note("the receiver got %d bytes", received.get());
    }

    boolean isGood() {
        return received.get() > 0;
    }
}
