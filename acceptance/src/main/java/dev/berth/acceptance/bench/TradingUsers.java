package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Ten users who trade. A user whose worker died five times within ten minutes would be delayed as a
 * crash loop at the next death, so a fresh user takes the place first.
 */
public final class TradingUsers implements AutoCloseable {
    public static final int SIZE = 10;
    private static final int MOST_DEATHS = 5;

    private final Stack stack;
    private final Random random;
    private final List<LocalAccount> accounts;
    private final boolean withRestingOrders;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<OrderFlow> all = new ArrayList<>();
    private final List<OrderFlow> trading = new ArrayList<>();

    /**
     * Returns when every user has an active worker.
     *
     * @param accounts of the users' orders, in turn
     * @param withRestingOrders whether some orders rest at the venue and are replaced and canceled
     */
    public TradingUsers(Stack stack, Random random, List<LocalAccount> accounts, boolean withRestingOrders)
            throws IOException, InterruptedException {
        this.stack = stack;
        this.random = random;
        this.accounts = List.copyOf(accounts);
        this.withRestingOrders = withRestingOrders;
        List<BenchUser> users = BenchUser.fresh(stack, SIZE);
        for (BenchUser user : users) {
            user.start();
            trading.add(join(user, trading.size()));
        }
        for (BenchUser user : users) {
            user.awaitActive(1);
        }
    }

    private OrderFlow join(BenchUser user, int place) {
        OrderFlow flow = new OrderFlow(user, accounts.get(place % accounts.size()), withRestingOrders);
        all.add(flow);
        threads.execute(flow);
        return flow;
    }

    OrderFlow any() throws IOException, InterruptedException {
        return user(random.nextInt(SIZE));
    }

    /** The user in this place; a user with too many deaths is replaced by a fresh one. */
    public synchronized OrderFlow user(int place) throws IOException, InterruptedException {
        OrderFlow flow = trading.get(place);
        if (flow.deaths() < MOST_DEATHS) {
            return flow;
        }
        flow.end();
        OrderFlow fresh = join(BenchUser.fresh(stack), place);
        trading.set(place, fresh);
        return fresh;
    }

    /** All users, also replaced ones. */
    public synchronized List<OrderFlow> all() {
        return List.copyOf(all);
    }

    /** Ends all order flows. */
    @Override
    public void close() {
        all().forEach(OrderFlow::end);
        threads.close();
    }
}
