package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.NewOrder;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.time.Instant;

/** What one market order that fills at once costs in Temporal and in PostgreSQL. */
final class OrderCost {
    private static final Goal EVENTS = Goal.median(20);
    private static final int ANSWER_SECONDS = 20;
    /** PostgreSQL grows by pages of 8 KiB in a dozen files: over so many orders that is 2 % at most. */
    private static final int ORDERS = 1_000;

    private final Stack stack;
    private final BenchUser user;
    private final Samples events = new Samples();
    private final Samples bytes = new Samples();
    private final Samples stored = new Samples();
    private final Samples indexed = new Samples();

    OrderCost(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.user = BenchUser.fresh(stack);
    }

    /**
     * Fills a thousand orders.
     *
     * @param histories how many of them are looked at in Temporal, where each look takes a moment
     */
    void measure(int histories) throws IOException, InterruptedException {
        // The first waits for its worker: that is another story.
        fill(0);
        history(0);
        OrderSpace before = OrderSpace.now(stack);
        for (int number = 1; number <= ORDERS; number++) {
            fill(number);
        }
        for (int number = ORDERS - histories + 1; number <= ORDERS; number++) {
            JsonNode history = history(number);
            events.add(history.size());
            bytes.add(history.toString().length());
        }
        // An order whose history is complete is written.
        OrderSpace space = OrderSpace.now(stack).since(before);
        stored.add((double) space.all() / ORDERS);
        indexed.add((double) space.indices() / ORDERS);
        user.stop();
        user.awaitEnd();
    }

    private static String id(int number) {
        return "c" + number;
    }

    private void fill(int number) throws IOException, InterruptedException {
        String side = number % 2 == 0 ? "buy" : "sell";
        user.trader().submit(NewOrder.market(id(number), "AAPL", side, "1"), ANSWER_SECONDS);
        user.awaitFinal(id(number), Instant.now().plusSeconds(ANSWER_SECONDS));
    }

    /** Complete: the workflow ends when everything is written. */
    private JsonNode history(int number) throws IOException, InterruptedException {
        while (true) {
            JsonNode events =
                    stack.history("order:" + user.name() + ":" + id(number)).path("events");
            String last = events.path(events.size() - 1).path("eventType").asText();
            if (last.equals("EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED")) {
                return events;
            }
        }
    }

    void print() {
        Table.row("history events of a market order", events, EVENTS);
        Table.row("  its history as JSON, bytes", bytes, Goal.NONE);
        Table.row("bytes an order in PostgreSQL", stored, Goal.NONE);
        Table.row("  of them in indices", indexed, Goal.NONE);
        Table.note("on disk, over %d orders: order, steps and fills, with what each step left to be vacuumed", ORDERS);
    }
}
