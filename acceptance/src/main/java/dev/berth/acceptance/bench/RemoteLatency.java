package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import dev.berth.remote.RemoteAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Measures an order's way to a broker on the customer's machine, in turn with orders to the paper
 * venue.
 */
final class RemoteLatency {
    private static final int WARM_UP = 30;
    private static final String ACCOUNT = "remote/equity/paper/home";
    private static final String ACCOUNT_JSON =
            "{\"broker\":\"remote\",\"market\":\"equity\",\"environment\":\"paper\",\"accountId\":\"home\"}";

    private final Stack stack;
    private final int rounds;
    private final Measurements direct = new Measurements();
    private final Measurements remote = new Measurements();

    RemoteLatency(Stack stack, int rounds) {
        this.stack = stack;
        this.rounds = rounds;
    }

    void measure() throws IOException, InterruptedException {
        Trader trader = stack.trader("bench-remote");
        JsonResponse stored = trader.api()
                .call("PUT", "/v1/accounts/" + ACCOUNT + "/credentials", "{}", "Authorization", trader.bearer());
        if (stored.status() != 200) {
            throw new IllegalStateException("no remote account: " + stored.body());
        }
        FillingBroker broker = new FillingBroker();
        Path journal = Files.createTempDirectory("berth-bench-remote");
        try (RemoteAgent agent = new RemoteAgent(
                RemoteAgent.Options.of(
                        trader.api().base(),
                        new Tokens(stack).sign(trader.user(), "remote"),
                        List.of(ACCOUNT),
                        journal),
                broker)) {
            Thread machine = Thread.ofVirtual().start(() -> serve(agent));
            measureInTurn(trader, broker);
            machine.interrupt();
            machine.join();
        }
    }

    private static void serve(RemoteAgent agent) {
        try {
            agent.run();
        } catch (IOException noJournal) {
            throw new IllegalStateException(noJournal);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void measureInTurn(Trader trader, FillingBroker broker) throws IOException, InterruptedException {
        Map<String, Instant> submitted = new HashMap<>();
        for (int round = -WARM_UP; round < rounds; round++) {
            String id = "remote-" + UUID.randomUUID();
            PlacedOrder toVenue = trader.submit(OrderBody.market(id + "-a", "SPY", "buy", "1"), 10)
                    .as(PlacedOrder.class);
            String body = OrderBody.market(id, "SPY", "buy", "1").json().replace(Trader.ACCOUNT, ACCOUNT_JSON);
            PlacedOrder toMachine = trader.submit(body, "Prefer", "wait=10").as(PlacedOrder.class);
            if (round < 0) {
                continue;
            }
            submitted.put(id + "-a", toVenue.submittedAt());
            Instant executed = broker.executedAt(id)
                    .orElseThrow(() -> new IllegalStateException("not executed in 10 s: " + toMachine));
            remote.add(OrderLatency.millis(toMachine.submittedAt(), executed));
        }
        for (VenueLog.Arrival arrival : VenueLog.of(stack).arrivals()) {
            Instant start = submitted.get(arrival.clientOrderId());
            if (start != null) {
                direct.add(OrderLatency.millis(start, arrival.time()));
            }
        }
    }

    void print() {
        ResultTable.row("order, accepted to at the venue (Alpaca)", direct, Goal.NONE);
        ResultTable.row("order, accepted to executed at the customer's machine", remote, Goal.NONE);
        ResultTable.note("median, remote beside Alpaca: %.2f", remote.median() / direct.median());
    }
}
