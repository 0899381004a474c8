package dev.berth.acceptance.bench;

import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Ten users who trade. Who died five times within ten minutes is a crash loop at the next death, and would be held back
 * on purpose: before that, a fresh user takes the place.
 */
public final class Crew implements AutoCloseable {
    public static final int SIZE = 10;
    private static final int LIVES = 5;

    private final Stack stack;
    private final Random random;
    private final boolean rests;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<OrderFlow> all = new ArrayList<>();
    private final List<OrderFlow> trading = new ArrayList<>();

    /**
     * All of them have a worker when it returns.
     *
     * @param rests whether some of their orders rest at the venue, and are replaced and canceled
     */
    public Crew(Stack stack, Random random, boolean rests) throws IOException, InterruptedException {
        this.stack = stack;
        this.random = random;
        this.rests = rests;
        List<BenchUser> users = BenchUser.fresh(stack, SIZE);
        for (BenchUser user : users) {
            user.start();
            trading.add(join(user));
        }
        for (BenchUser user : users) {
            user.awaitActive(1);
        }
    }

    private OrderFlow join(BenchUser user) {
        OrderFlow flow = new OrderFlow(user, rests);
        all.add(flow);
        threads.execute(flow);
        return flow;
    }

    OrderFlow any() throws IOException, InterruptedException {
        return at(random.nextInt(SIZE));
    }

    /** The one in this place, with a life left. One who is new there gets a worker by the first order. */
    public synchronized OrderFlow at(int place) throws IOException, InterruptedException {
        OrderFlow flow = trading.get(place);
        if (flow.deaths() < LIVES) {
            return flow;
        }
        flow.end();
        OrderFlow fresh = join(BenchUser.fresh(stack));
        trading.set(place, fresh);
        return fresh;
    }

    /** Everybody who ever was in it. */
    public synchronized List<OrderFlow> all() {
        return List.copyOf(all);
    }

    /** Nobody submits any more. */
    @Override
    public void close() {
        all().forEach(OrderFlow::end);
        threads.close();
    }
}
