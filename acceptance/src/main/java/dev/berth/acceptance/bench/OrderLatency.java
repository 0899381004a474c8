package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Measures an order's way to the venue against a bare workflow's, in turn. */
final class OrderLatency {
    private static final Goal RATIO = Goal.median(1.15);
    private static final int WARM_UP = 300;

    private final Stack stack;
    private final int rounds;
    private final Measurements bare = new Measurements();
    private final Measurements accepted = new Measurements();
    private final Measurements sent = new Measurements();
    private final Measurements answered = new Measurements();
    private final Measurements gatewayCpu = new Measurements();

    OrderLatency(Stack stack, int rounds) {
        this.stack = stack;
        this.rounds = rounds;
    }

    void measure() throws IOException, InterruptedException {
        try (BareFleet fleet = new BareFleet(stack, 1)) {
            measureInTurn(fleet, stack.trader("bench"));
        }
    }

    private void measureInTurn(BareFleet fleet, Trader trader) throws IOException, InterruptedException {
        Map<String, Instant> begun = new HashMap<>();
        Map<String, Instant> posted = new HashMap<>();
        Map<String, Instant> submitted = new HashMap<>();
        ClosedLoop one = ClosedLoop.of(fleet.users().getFirst(), 1);
        LocalProcess gateway = stack.process("gateway");
        Duration before = Duration.ZERO;
        for (int round = -WARM_UP; round < rounds; round++) {
            if (round == 0) {
                before = gateway.cpu();
            }
            ClosedLoop.Sent baseline = fleet.run(one).getFirst();
            String id = "bench-" + UUID.randomUUID();
            Instant begin = Instant.now();
            PlacedOrder order =
                    trader.submit(OrderBody.market(id, "SPY", "buy", "1"), 10).as(PlacedOrder.class);
            if (round >= 0) {
                answered.add(millis(begin, Instant.now()));
                begun.put(baseline.id(), baseline.begun());
                posted.put(id, begin);
                submitted.put(id, order.submittedAt());
            }
        }
        gatewayCpu.add(gateway.cpu().minus(before).toNanos() / 1e6 / rounds);
        arrivals(stack).forEach((id, arrived) -> {
            add(begun.get(id), arrived, bare);
            add(posted.get(id), arrived, sent);
            add(submitted.get(id), arrived, accepted);
        });
    }

    private static void add(@Nullable Instant from, Instant arrived, Measurements times) {
        if (from != null) {
            times.add(millis(from, arrived));
        }
    }

    /** When each order arrived at the venue. */
    static Map<String, Instant> arrivals(Stack stack) throws IOException, InterruptedException {
        Map<String, Instant> times = new HashMap<>();
        for (VenueLog.Arrival arrival : VenueLog.of(stack).arrivals()) {
            times.put(arrival.clientOrderId(), arrival.time());
        }
        return times;
    }

    static double millis(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e6;
    }

    void print() {
        ResultTable.row("bare workflow, start to at the venue", bare, Goal.NONE);
        ResultTable.row("order, accepted to at the venue", accepted, Goal.NONE);
        ResultTable.row("  to bare", Unit.RATIO, Measurements.of(accepted.median() / bare.median()), RATIO);
        ResultTable.row("order, POST sent to at the venue", sent, Goal.NONE);
        ResultTable.row("  to bare", Unit.RATIO, Measurements.of(sent.median() / bare.median()), Goal.NONE);
        ResultTable.row("order, POST sent to answer received", answered, Goal.NONE);
        ResultTable.row("CPU of the gateway an order", gatewayCpu, Goal.NONE);
    }
}
