package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits one user's orders in turn until it is ended, and records each answer. Like any client, it
 * repeats a submission without an answer under the same id.
 */
public final class OrderFlow implements Runnable {
    /** Bounds the queue of orders while the worker is down. */
    private static final int WAIT_SECONDS = 1;

    private static final long PAUSE_MILLIS = 300;
    /** Each order with this number rests at the venue until its cancel. */
    private static final int RESTING_EVERY = 4;
    /** Each second resting order is replaced first. */
    private static final int REPLACED_EVERY = 2 * RESTING_EVERY;
    /** Far below the market. */
    private static final String RESTING_PRICE = "95";
    /** Shorter than most faults. */
    private static final Duration SHORT_DEADLINE = Duration.ofSeconds(3);

    private static final int SHORT_DEADLINE_EVERY = 3;

    private final BenchUser user;
    private final LocalAccount account;
    private final boolean withRestingOrders;
    private final AccountTraffic traffic;
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<String> unanswered = new CopyOnWriteArrayList<>();
    private final AtomicInteger deaths = new AtomicInteger();
    private volatile boolean ended;
    private final AtomicInteger repeats = new AtomicInteger();

    /**
     * @param account of its orders
     * @param withRestingOrders whether some orders rest, are replaced or have a short deadline, and
     *     the account is read and emptied now and then
     */
    OrderFlow(BenchUser user, LocalAccount account, boolean withRestingOrders) {
        this.user = user;
        this.account = account;
        this.withRestingOrders = withRestingOrders;
        this.traffic = new AccountTraffic(user.trader(), account);
    }

    @Override
    public void run() {
        try {
            for (int number = 1; !ended; number++) {
                String id = user.name() + "-" + number;
                if (withRestingOrders && number % RESTING_EVERY == 0) {
                    submitResting(id, number % REPLACED_EVERY == 0);
                } else {
                    // Alternates buy and sell, which keeps the position small.
                    OrderBody order = OrderBody.market(id, "AAPL", number % 2 == 1 ? "buy" : "sell", "1");
                    submit(
                            withRestingOrders && number % SHORT_DEADLINE_EVERY == 0
                                    ? order.within(SHORT_DEADLINE)
                                    : order);
                }
                if (withRestingOrders) {
                    useAccount(number, id);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private void useAccount(int number, String id) throws InterruptedException {
        try {
            accepted.addAll(traffic.after(number, id));
        } catch (IOException noAnswer) {
            repeats.incrementAndGet();
        }
    }

    /** Ignores a lost answer, since the audit cancels resting orders. */
    private void submitResting(String id, boolean replaced) throws InterruptedException {
        if (!submit(OrderBody.limit(id, "AAPL", "buy", "1", RESTING_PRICE))) {
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

    /** Returns whether the order was accepted. */
    private boolean submit(OrderBody order) throws InterruptedException {
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

    /** The HTTP status; 503 without an answer. */
    private int status(OrderBody order) throws InterruptedException {
        try {
            RestClient.JsonResponse answer = user.trader().submit(order.with(account), WAIT_SECONDS);
            return answer.status();
        } catch (IOException noAnswer) {
            return 503;
        }
    }

    void end() {
        ended = true;
    }

    /** Counts a kill, or a freeze that Berth handles as a death. */
    public void countDeath() {
        deaths.incrementAndGet();
    }

    int deaths() {
        return deaths.get();
    }

    public BenchUser user() {
        return user;
    }

    /** The account of its orders. */
    public LocalAccount account() {
        return account;
    }

    public List<String> accepted() {
        return accepted;
    }

    List<String> refused() {
        return refused;
    }

    /** Orders without an answer, which must not be doubled either. */
    List<String> unanswered() {
        return unanswered;
    }

    /** How often each call of the account had each HTTP status. */
    Map<AccountTraffic.Call, Map<Integer, Integer>> accountAnswers() {
        return traffic.answers();
    }

    /** The number of requests repeated without an answer. */
    int repeats() {
        return repeats.get();
    }
}
