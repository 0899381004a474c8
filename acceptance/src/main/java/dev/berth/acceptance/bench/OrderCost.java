package dev.berth.acceptance.bench;

import dev.berth.acceptance.NewOrder;
import dev.berth.acceptance.Stack;
import java.io.IOException;

/** What one market order that fills at once costs in Temporal. */
final class OrderCost {
    private static final Goal EVENTS = Goal.median(20);
    private static final int ANSWER_SECONDS = 20;

    private final Stack stack;
    private final BenchUser user;
    private final Samples events = new Samples();
    private final Samples bytes = new Samples();

    OrderCost(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.user = BenchUser.fresh(stack);
    }

    void measure(int orders) throws IOException, InterruptedException {
        for (int number = 0; number <= orders; number++) {
            String id = "c" + number;
            user.trader().submit(NewOrder.market(id, "AAPL", number % 2 == 0 ? "buy" : "sell", "1"), ANSWER_SECONDS);
            while (!user.trader().order(id).hasNonNull("finalAt")) {
                Thread.sleep(20);
            }
            // The first waited for its worker: that is another story.
            if (number > 0) {
                note("order:" + user.name() + ":" + id);
            }
        }
        user.stop();
        user.awaitEnd();
    }

    private void note(String workflow) throws IOException, InterruptedException {
        String last = "";
        while (!last.equals("EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED")) {
            var history = stack.history(workflow).path("events");
            last = history.path(history.size() - 1).path("eventType").asText();
            if (last.equals("EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED")) {
                events.add(history.size());
                bytes.add(history.toString().length());
            }
        }
    }

    void print() {
        Table.row("history events of a market order", events, EVENTS);
        Table.row("  its history as JSON, bytes", bytes, Goal.NONE);
    }
}
