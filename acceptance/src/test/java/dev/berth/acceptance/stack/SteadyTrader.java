package dev.berth.acceptance.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A user with a resting order who sends market orders, one after the other, and times each. With
 * several APIs each order goes to the next one, and again to the one after it when that is
 * unavailable.
 */
public final class SteadyTrader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SteadyTrader.class);
    private static final String RESTING = "resting";
    /** Within the 200 requests a minute that the broker permits an account. */
    private static final long PAUSE_MILLIS = 350;

    private static final int ANSWER_SECONDS = 60;
    /** Three seconds are those that a caller waits for a connection. */
    private static final Duration SLOWEST_ORDER = Duration.ofSeconds(15);

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** The same user at each API. */
    private final List<Trader> traders;

    private final List<String> filled = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService trading =
            Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    private volatile Duration longest = Duration.ZERO;
    private volatile Duration longestGap = Duration.ZERO;
    private long answeredAt;

    private SteadyTrader(List<Trader> traders) {
        this.traders = traders;
    }

    /** Returns when the user has a worker and an order that rests at the venue. */
    public static SteadyTrader of(Stack stack, String user) throws Exception {
        return of(stack, user, List.of());
    }

    /** Trades at these APIs, too, beside the stack's first. */
    public static SteadyTrader of(Stack stack, String user, List<RestClient> more) throws Exception {
        Trader trader = Eventually.trading(stack, user);
        OrderBody resting = OrderBody.limit(RESTING, "AAPL", "buy", "1", "50");
        assertThat(trader.submit(resting, 30).text("status")).isEqualTo("NEW");
        List<Trader> traders = new ArrayList<>(List.of(trader));
        more.forEach(api -> traders.add(new Trader(api, user, trader.token())));
        SteadyTrader steady = new SteadyTrader(List.copyOf(traders));
        var _ = steady.trading.scheduleWithFixedDelay(steady::trade, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        return steady;
    }

    private void trade() {
        String id = "s" + filled.size();
        long began = System.nanoTime();
        try {
            JsonResponse order = submit(id);
            long answered = System.nanoTime();
            longest = longer(longest, answered - began);
            if (!filled.isEmpty()) {
                longestGap = longer(longestGap, answered - answeredAt);
            }
            answeredAt = answered;
            if (!order.text("status").equals("FILLED")) {
                failures.add(order.body().toString());
            }
        } catch (Exception failed) {
            failures.add(failed.toString());
        }
        filled.add(id);
    }

    /** An order that an API took before it ended is known to the next one by its id. */
    private JsonResponse submit(String id) throws IOException, InterruptedException {
        OrderBody order = OrderBody.market(id, "AAPL", "buy", "1");
        int next = filled.size();
        for (int attempt = 1; ; attempt++) {
            try {
                JsonResponse answer = traders.get(next++ % traders.size()).submit(order, ANSWER_SECONDS);
                if (answer.status() < 500 || attempt >= traders.size()) {
                    return answer;
                }
            } catch (IOException unavailable) {
                if (attempt >= traders.size()) {
                    throw unavailable;
                }
            }
        }
    }

    private static Duration longer(Duration one, long nanos) {
        return Duration.ofNanos(Math.max(one.toNanos(), nanos));
    }

    public Trader trader() {
        return traders.getFirst();
    }

    /** How many market orders were answered. */
    public int orders() {
        return filled.size();
    }

    public String user() {
        return trader().user();
    }

    /** Waits until a worker with a later epoch serves the user. */
    public Worker successor(Worker worker, Duration timeout) {
        long epoch = worker.epoch();
        return Awaitility.await()
                .atMost(timeout)
                .until(trader()::worker, now -> now.isServing() && now.epoch() > epoch);
    }

    /** How long no process served the user before this one. */
    public static Duration gap(Worker worker) {
        return Duration.between(worker.requestedAt(), worker.since());
    }

    /** Ends the trading; the longest time from a submission to its fill. */
    public Duration longest() {
        close();
        return longest;
    }

    /** The longest time between two orders that were answered one after the other. */
    public Duration longestGap() {
        return longestGap;
    }

    /**
     * After trouble with PostgreSQL: ends the trading. No order waited long, and the read model has
     * each of them as filled, nothing lost or doubled.
     */
    public void requireAllStored(Stack stack) throws Exception {
        Duration slowest = longest();
        LOG.warn("{}: {} orders, the slowest took {} ms", user(), orders(), slowest.toMillis());
        assertThat(slowest).isLessThan(SLOWEST_ORDER);
        // And the one before the first.
        new StoredOrders(stack).awaitFilled(trader(), orders() + 1);
        requireNothingLostOrDoubled(stack);
    }

    /** Every order reached the venue once, and the resting one can still be canceled. */
    public void requireNothingLostOrDoubled(Stack stack) throws Exception {
        assertThat(failures).isEmpty();
        List<String> expected = new ArrayList<>(filled);
        expected.addAll(List.of("warm", RESTING));
        assertThat(Venue.of(stack).arrivals(trader()))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(trader().order(RESTING).status()).isEqualTo("NEW");
        trader().delete("/v1/orders/" + RESTING);
        Eventually.order(trader(), RESTING, "CANCELED", TIMEOUT);
        stack.berth("verify", "--user", user());
    }

    @Override
    public void close() {
        trading.close();
    }
}
