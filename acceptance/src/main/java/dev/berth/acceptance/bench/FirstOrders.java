package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.util.UUID;

/** Measures the CPU time that a fresh worker takes for its first orders, beside later ones. */
final class FirstOrders {
    private static final Goal WARM = Goal.median(1.5);
    private static final int ORDERS = 100;
    /** Between the first orders and the later ones. */
    private static final int BETWEEN = 300;

    private static final int ANSWER_SECONDS = 30;

    private final Stack stack;
    private final Measurements first = new Measurements();
    private final Measurements later = new Measurements();
    private final Measurements ratio = new Measurements();

    FirstOrders(Stack stack) {
        this.stack = stack;
    }

    void measure(int workers) throws IOException, InterruptedException {
        for (int number = 0; number < workers; number++) {
            BenchUser user = BenchUser.fresh(stack);
            user.start();
            long pid = user.awaitActive(1).pid();
            double begun = cpuOfOrders(user, pid, ORDERS);
            cpuOfOrders(user, pid, BETWEEN);
            double warm = cpuOfOrders(user, pid, ORDERS);
            first.add(begun);
            later.add(warm);
            ratio.add(begun / warm);
            user.stop();
            user.awaitEnd();
        }
    }

    /** Milliseconds an order. */
    private static double cpuOfOrders(BenchUser user, long pid, int orders) throws IOException, InterruptedException {
        long before = FleetCost.cpuTime(pid).toNanos();
        for (int number = 0; number < orders; number++) {
            String side = number % 2 == 0 ? "buy" : "sell";
            user.trader().submit(OrderBody.market("first-" + UUID.randomUUID(), "SPY", side, "1"), ANSWER_SECONDS);
        }
        return (FleetCost.cpuTime(pid).toNanos() - before) / 1e6 / orders;
    }

    void print() {
        ResultTable.row("CPU of a worker an order, its first " + ORDERS, first, Goal.NONE);
        ResultTable.row("CPU of a worker an order, after " + (ORDERS + BETWEEN), later, Goal.NONE);
        ResultTable.row("  the first to those", Unit.RATIO, ratio, WARM);
    }
}
