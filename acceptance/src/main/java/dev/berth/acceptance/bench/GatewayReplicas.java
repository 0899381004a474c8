package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Kills one of three gateways every 10 s while ten users trade, and audits the orders. */
final class GatewayReplicas {
    private static final List<String> GATEWAYS = List.of("gateway", "gateway-2", "gateway-3");
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** As long as ECS takes to start another task, or less. */
    private static final Duration DOWN = Duration.ofSeconds(3);

    private static final int TRIES = 3;

    private final Stack stack;
    private final long seed;
    private final OrderAudit audit;
    private final Measurements toVenue = new Measurements();
    private int kills;

    GatewayReplicas(Stack stack, long seed) {
        this.stack = stack.with(Map.of("BERTH_GATEWAYS", Integer.toString(GATEWAYS.size())));
        this.seed = seed;
        this.audit = new OrderAudit(stack);
    }

    void measure(int times) throws IOException, InterruptedException {
        start();
        Random random = new Random(seed);
        int turn = random.nextInt(GATEWAYS.size());
        TradingUsers crew = new TradingUsers(stack, random, List.of(LocalAccount.ALPACA), false);
        try (crew) {
            for (kills = 0; kills < times; kills++) {
                Thread.sleep(EVERY.minus(DOWN));
                stack.process(GATEWAYS.get((turn + kills) % GATEWAYS.size())).kill();
                Thread.sleep(DOWN);
                start();
            }
            Thread.sleep(EVERY);
        }
        audit.check(crew.all(), List.of());
        measureArrivals(crew.all());
        BenchUser.stop(crew.all().stream().map(OrderFlow::user).toList());
    }

    /** A busy machine starts a gateway slower than {@code up} waits; the next one finds it up. */
    private void start() throws IOException, InterruptedException {
        for (int left = TRIES; left > 1; left--) {
            try {
                stack.berth("up");
                return;
            } catch (IOException notReady) {
                // The last attempt reports its failure.
            }
        }
        stack.berth("up");
    }

    /** The first arrival of each order, by this machine's clock. */
    private void measureArrivals(List<OrderFlow> flows) throws IOException, InterruptedException {
        Map<String, Instant> arrived = new HashMap<>();
        for (VenueLog.Arrival arrival : VenueLog.of(stack).arrivals()) {
            arrived.merge(arrival.clientOrderId(), arrival.time(), (one, other) -> one.isBefore(other) ? one : other);
        }
        for (OrderFlow flow : flows) {
            for (String id : flow.accepted()) {
                Instant at = arrived.get(id);
                if (at != null) {
                    Instant submitted = flow.user().trader().order(id).submittedAt();
                    toVenue.add(OrderLatency.millis(submitted, at));
                }
            }
        }
    }

    boolean isGood() {
        return audit.isGood();
    }

    void print() {
        ResultTable.row("order, accepted to at the venue, gateways killed", toVenue, Goal.NONE);
        ResultTable.note(
                "seed %d; %d kills, one of %d gateways every %d s, back after %d s and its start",
                seed, kills, GATEWAYS.size(), EVERY.toSeconds(), DOWN.toSeconds());
        audit.print();
    }
}
