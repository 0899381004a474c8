package dev.berth.acceptance.bench;

import dev.berth.acceptance.NewOrder;
import dev.berth.acceptance.Rest;
import dev.berth.acceptance.Trader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One user's orders, one after the other, until it is ended; remembers what the user was told of each. What got no
 * answer is sent again under the same id, as any client would.
 */
public final class OrderFlow implements Runnable {
    /** While the worker is away its orders queue up, but not without measure. */
    private static final int WAIT_SECONDS = 1;

    private static final long PAUSE_MILLIS = 300;
    /** Each time that so many orders were submitted, the next rests at the venue until it is canceled. */
    private static final int RESTS_EVERY = 4;
    /** And each second of these is replaced before. */
    private static final int REPLACED_EVERY = 2 * RESTS_EVERY;
    /** Far below the market. */
    private static final String RESTING_PRICE = "95";
    /** So that faults last longer than some orders may wait. */
    private static final Duration HURRY = Duration.ofSeconds(3);

    private static final int HURRIES_EVERY = 3;

    private final BenchUser user;
    private final boolean rests;
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<String> unanswered = new CopyOnWriteArrayList<>();
    private final AtomicInteger deaths = new AtomicInteger();
    private volatile boolean ended;
    private final AtomicInteger repeats = new AtomicInteger();

    /** @param rests whether some of its orders rest at the venue, and are replaced and canceled, and others are in a hurry */
    OrderFlow(BenchUser user, boolean rests) {
        this.user = user;
        this.rests = rests;
    }

    @Override
    public void run() {
        try {
            for (int number = 1; !ended; number++) {
                String id = user.name() + "-" + number;
                if (rests && number % RESTS_EVERY == 0) {
                    rest(id, number % REPLACED_EVERY == 0);
                } else {
                    // In turn, so that the account neither fills up nor runs dry.
                    NewOrder order = NewOrder.market(id, "AAPL", number % 2 == 1 ? "buy" : "sell", "1");
                    submit(rests && number % HURRIES_EVERY == 0 ? order.within(HURRY) : order);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** That a change got no answer does not matter: whoever audits cancels what still rests. */
    private void rest(String id, boolean replaced) throws InterruptedException {
        if (!submit(NewOrder.limit(id, "AAPL", "buy", "1", RESTING_PRICE))) {
            return;
        }
        Trader trader = user.trader();
        try {
            if (replaced) {
                trader.replace(id, "{\"quantity\":\"2\"}");
            }
            trader.delete("/v1/orders/" + id);
        } catch (IOException noAnswer) {
            repeats.incrementAndGet();
        }
    }

    /** True when the user was told that it is accepted. */
    private boolean submit(NewOrder order) throws InterruptedException {
        while (true) {
            int status = status(order);
            if (status / 100 == 2) {
                return accepted.add(order.id());
            }
            if (status / 100 == 4) {
                return !refused.add(order.id());
            }
            if (ended) {
                return !unanswered.add(order.id());
            }
            repeats.incrementAndGet();
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Of the answer; 503 when there was none. */
    private int status(NewOrder order) throws InterruptedException {
        try {
            Rest.Answer answer = user.trader().submit(order, WAIT_SECONDS);
            return answer.status();
        } catch (IOException noAnswer) {
            return 503;
        }
    }

    void end() {
        ended = true;
    }

    /** Its worker was killed, or so that Berth takes it for dead. */
    public void died() {
        deaths.incrementAndGet();
    }

    int deaths() {
        return deaths.get();
    }

    public BenchUser user() {
        return user;
    }

    public List<String> accepted() {
        return accepted;
    }

    /** The user was told that it is not accepted. */
    List<String> refused() {
        return refused;
    }

    /** Nobody promised anything, but the venue must not have them twice either. */
    List<String> unanswered() {
        return unanswered;
    }

    /** How often something was sent again since no answer, or none that says anything, came. */
    int repeats() {
        return repeats.get();
    }
}
