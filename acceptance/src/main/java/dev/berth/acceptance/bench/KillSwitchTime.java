package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Measures how long orders still reach the venue after a kill switch, with queued orders. */
final class KillSwitchTime {
    private static final Goal GOAL = Goal.most(1_000);
    private static final int USERS = 5;
    /** Queued orders per worker; the venue answers one per 400 ms. */
    private static final int QUEUED = 15;

    private static final String VENUE = "{\"delayMillis\":400}";
    private static final Duration QUIET = Duration.ofMillis(1_500);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Stack stack;
    private final FleetOperator operator;
    private final List<BenchUser> users;
    private final Measurements lastSent = new Measurements();
    private int stopped;
    private int sentBefore;
    private int next;

    KillSwitchTime(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
        this.users = BenchUser.fresh(stack, USERS);
    }

    void measure(int runs) throws IOException, InterruptedException {
        for (BenchUser user : users) {
            user.start();
        }
        for (BenchUser user : users) {
            user.awaitActive(1);
        }
        stack.venue().call("PUT", "/_control/faults", VENUE);
        try {
            for (int run = 0; run < runs; run++) {
                measureOnce();
            }
        } finally {
            operator.killSwitch("all", false);
            stack.venue().call("PUT", "/_control/faults", "{}");
        }
        BenchUser.stop(users);
    }

    private void measureOnce() throws IOException, InterruptedException {
        Set<String> orders = new HashSet<>();
        for (int queued = 0; queued < QUEUED; queued++) {
            for (BenchUser user : users) {
                OrderBody order =
                        OrderBody.market(user.name() + "-" + next++, "AAPL", next % 2 == 0 ? "buy" : "sell", "1");
                if (user.trader().submit(order, 0).status() / 100 == 2) {
                    orders.add(order.id());
                }
            }
        }
        Instant switched = Instant.now();
        operator.killSwitch("all", true);
        Thread.sleep(QUIET);
        List<Instant> arrivals = arrivals(orders);
        sentBefore += arrivals.size();
        stopped += orders.size() - arrivals.size();
        lastSent.add(arrivals.stream()
                .filter(switched::isBefore)
                .max(Instant::compareTo)
                .map(last -> OrderLatency.millis(switched, last))
                .orElse(0.0));
        awaitFinal(orders);
        operator.killSwitch("all", false);
    }

    private List<Instant> arrivals(Set<String> orders) throws IOException, InterruptedException {
        return VenueLog.of(stack).arrivals().stream()
                .filter(arrival -> orders.contains(arrival.clientOrderId()))
                .map(VenueLog.Arrival::time)
                .toList();
    }

    private void awaitFinal(Set<String> orders) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        for (BenchUser user : users) {
            for (String id : orders) {
                if (id.startsWith(user.name())) {
                    user.awaitFinal(id, deadline);
                }
            }
        }
    }

    void print() {
        ResultTable.row("kill switch called to the last order at the venue", lastSent, GOAL);
        ResultTable.note("%d orders were sent before it, %d were stopped on their way", sentBefore, stopped);
    }
}
