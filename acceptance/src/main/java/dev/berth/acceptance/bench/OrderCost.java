package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Instant;

/** Measures the space of a filled market order in Temporal and in PostgreSQL. */
final class OrderCost {
    private static final Goal EVENTS = Goal.median(20);
    private static final int ANSWER_SECONDS = 20;
    /** So many that PostgreSQL's page size of 8 KiB changes the figure by 2 % at most. */
    private static final int ORDERS = 1_000;

    private final Stack stack;
    private final BenchUser user;
    private final Measurements events = new Measurements();
    private final Measurements bytes = new Measurements();
    private final Measurements stored = new Measurements();
    private final Measurements indexed = new Measurements();

    OrderCost(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.user = BenchUser.fresh(stack);
    }

    /**
     * Fills a thousand orders.
     *
     * @param histories the number of histories to read, each of which takes a moment
     */
    void measure(int histories) throws IOException, InterruptedException {
        // The first order waits for its worker and is not measured.
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
        // A completed workflow has stored its order.
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
        user.trader().submit(OrderBody.market(id(number), "AAPL", side, "1"), ANSWER_SECONDS);
        user.awaitFinal(id(number), Instant.now().plusSeconds(ANSWER_SECONDS));
    }

    private JsonNode history(int number) throws IOException, InterruptedException {
        return stack.endedHistory("order:" + user.name() + ":" + id(number)).required("events");
    }

    void print() {
        ResultTable.row("history events of a market order", Unit.COUNT, events, EVENTS);
        ResultTable.row("  its history as JSON", Unit.BYTES, bytes, Goal.NONE);
        ResultTable.row("space of an order in PostgreSQL", Unit.BYTES, stored, Goal.NONE);
        ResultTable.row("  of it in indices", Unit.BYTES, indexed, Goal.NONE);
        ResultTable.note(
                "on disk, over %d orders: order, steps and fills, with what each step left to be vacuumed", ORDERS);
    }
}
