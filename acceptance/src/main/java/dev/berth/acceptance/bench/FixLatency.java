package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.security.HostileTask;
import dev.berth.acceptance.stack.Stack;
import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixAccountRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Measures an order's way to the venue over FIX in turn with orders over REST, and what the write
 * of a session's journal takes of it.
 */
final class FixLatency {
    private static final int WARM_UP = 60;
    private static final AccountKey ACCOUNT = new AccountKey("fix", "equity", Environment.PAPER, "paper");
    /** As long as an order's. */
    private static final String MESSAGE = "8=FIX.4.4\u0001" + "x".repeat(200);

    private final Stack stack;
    private final int rounds;
    private final Map<LocalAccount, Measurements> toVenue = new EnumMap<>(LocalAccount.class);
    private final Measurements journal = new Measurements();

    FixLatency(Stack stack, int rounds) {
        this.stack = stack;
        this.rounds = rounds;
        for (LocalAccount account : LocalAccount.values()) {
            toVenue.put(account, new Measurements());
        }
    }

    private record Accepted(LocalAccount account, Instant time) {}

    void measure() throws IOException, InterruptedException, GeneralSecurityException {
        Trader trader = stack.trader("bench-fix");
        Map<String, Accepted> orders = new HashMap<>();
        for (int round = -WARM_UP; round < rounds; round++) {
            for (LocalAccount account : LocalAccount.values()) {
                String id = "fix-" + UUID.randomUUID();
                OrderBody order = OrderBody.market(id, "SPY", "buy", "1").with(account);
                PlacedOrder placed = trader.submit(order, 10).as(PlacedOrder.class);
                // Over FIX the venue says first that it has the order.
                if (!placed.isIn("NEW", "FILLED")) {
                    throw new IllegalStateException("not answered in 10 s: " + placed);
                }
                if (round >= 0) {
                    orders.put(id, new Accepted(account, placed.submittedAt()));
                }
            }
        }
        OrderLatency.arrivals(stack).forEach((id, arrived) -> {
            Accepted order = orders.get(id);
            if (order != null) {
                measurements(order.account()).add(OrderLatency.millis(order.time(), arrived));
            }
        });
        measureJournal();
    }

    /** As a worker pays for it: its call of the gateway, and the gateway's commit in PostgreSQL. */
    private void measureJournal() throws IOException, GeneralSecurityException {
        try (HostileTask task = HostileTask.launched(stack, "bench-fix-journal:1")) {
            Channel gateway = task.channel();
            ClientCalls.blockingUnaryCall(
                    gateway, GatewayMethods.OPEN_FIX_JOURNAL, CallOptions.DEFAULT, new FixAccountRequest(ACCOUNT));
            for (int number = 1; number <= WARM_UP + rounds; number++) {
                Instant begin = Instant.now();
                ClientCalls.blockingUnaryCall(
                        gateway,
                        GatewayMethods.APPEND_FIX_MESSAGE,
                        CallOptions.DEFAULT,
                        new AppendFixMessageRequest(ACCOUNT, number, MESSAGE));
                if (number > WARM_UP) {
                    journal.add(OrderLatency.millis(begin, Instant.now()));
                }
            }
        }
    }

    private Measurements measurements(LocalAccount account) {
        return toVenue.getOrDefault(account, new Measurements());
    }

    void print() {
        Measurements rest = measurements(LocalAccount.ALPACA);
        Measurements fix = measurements(LocalAccount.FIX);
        ResultTable.row("order, accepted to at the venue (Alpaca)", rest, Goal.NONE);
        ResultTable.row("order, accepted to at the venue (FIX)", fix, Goal.NONE);
        ResultTable.row("  to Alpaca", Unit.RATIO, Measurements.of(fix.median() / rest.median()), Goal.NONE);
        ResultTable.row("message stored in the journal of a FIX session", journal, Goal.NONE);
    }
}
