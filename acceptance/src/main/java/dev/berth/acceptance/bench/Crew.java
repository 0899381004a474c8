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
final class Crew implements AutoCloseable {
    static final int SIZE = 10;
    private static final int LIVES = 5;

    private final Stack stack;
    private final Random random;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<OrderFlow> all = new ArrayList<>();
    private final List<OrderFlow> trading = new ArrayList<>();

    Crew(Stack stack, Random random) throws IOException, InterruptedException {
        this.stack = stack;
        this.random = random;
        for (BenchUser user : BenchUser.fresh(stack, SIZE)) {
            join(user);
        }
        for (OrderFlow flow : trading) {
            flow.user().awaitActive(1);
        }
    }

    private void join(BenchUser user) throws IOException, InterruptedException {
        user.start();
        OrderFlow flow = new OrderFlow(user);
        all.add(flow);
        trading.add(flow);
        threads.execute(flow);
    }

    OrderFlow any() throws IOException, InterruptedException {
        return at(random.nextInt(SIZE));
    }

    /** The one in this place, with a life left. */
    OrderFlow at(int place) throws IOException, InterruptedException {
        OrderFlow flow = trading.get(place);
        if (flow.deaths() < LIVES) {
            return flow;
        }
        flow.end();
        trading.remove(place);
        join(BenchUser.fresh(stack));
        OrderFlow fresh = trading.getLast();
        fresh.user().awaitActive(1);
        return fresh;
    }

    /** Everybody who ever was in it. */
    List<OrderFlow> all() {
        return all;
    }

    /** Nobody submits any more. */
    @Override
    public void close() {
        all.forEach(OrderFlow::end);
        threads.close();
    }
}
