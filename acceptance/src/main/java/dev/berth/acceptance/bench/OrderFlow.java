package dev.berth.acceptance.bench;

import dev.berth.acceptance.NewOrder;
import dev.berth.acceptance.Rest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One user's orders, one after the other, until it is ended; remembers which of them were accepted. */
final class OrderFlow implements Runnable {
    /** While the worker is away its orders queue up, but not without measure. */
    private static final int WAIT_SECONDS = 1;

    private static final long PAUSE_MILLIS = 300;

    private final BenchUser user;
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private volatile boolean ended;
    private int deaths;

    OrderFlow(BenchUser user) {
        this.user = user;
    }

    @Override
    public void run() {
        try {
            for (int number = 1; !ended; number++) {
                // In turn, so that the account neither fills up nor runs dry.
                String side = number % 2 == 1 ? "buy" : "sell";
                submit(NewOrder.market(user.name() + "-" + number, "AAPL", side, "1"));
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private void submit(NewOrder order) throws InterruptedException {
        try {
            Rest.Answer answer = user.trader().submit(order, WAIT_SECONDS);
            (answer.status() / 100 == 2 ? accepted : refused).add(order.id());
        } catch (IOException noAnswer) {
            refused.add(order.id());
        }
    }

    void end() {
        ended = true;
    }

    void died() {
        deaths++;
    }

    /** How often its worker was killed. */
    int deaths() {
        return deaths;
    }

    BenchUser user() {
        return user;
    }

    List<String> accepted() {
        return accepted;
    }

    /** Or without an answer: nobody promised anything, but the venue must not have them twice either. */
    List<String> refused() {
        return refused;
    }
}
