package dev.berth.acceptance.bench;

import dev.berth.acceptance.NewOrder;
import dev.berth.acceptance.RedisKeyspace;
import dev.berth.acceptance.Rest;
import dev.berth.acceptance.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Far more orders at once than the ceiling admits. */
final class Flood {
    private static final Goal REFUSED = Goal.p99(50);
    private static final int USERS = 20;
    /** As many as a client has connections; more would measure the client's own queue. */
    private static final int AT_ONCE = 64;

    private static final int WARM_SECONDS = 20;

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final Stack stack;
    private final List<BenchUser> users;
    private final Semaphore connections = new Semaphore(AT_ONCE);
    private final Samples refused = new Samples();
    private final Samples admitted = new Samples();
    private final Samples memory = new Samples();
    private final Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();
    private final Map<String, Integer> ends = new TreeMap<>();
    private final Map<BenchUser, List<String>> accepted = new ConcurrentHashMap<>();
    private long left;

    Flood(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.users = BenchUser.fresh(stack, USERS);
    }

    void measure(int orders) throws IOException, InterruptedException, ExecutionException {
        // Neither twenty starts nor the API's first orders are what is measured.
        for (BenchUser user : users) {
            user.start();
        }
        for (BenchUser user : users) {
            user.awaitActive(1);
            user.trader().submit(NewOrder.market("warm", "AAPL", "buy", "1"), WARM_SECONDS);
        }
        memory.add(memoryMiB());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> offered = new ArrayList<>();
            for (int number = 0; number < orders; number++) {
                BenchUser user = users.get(number % USERS);
                NewOrder order = NewOrder.market("f" + number, "AAPL", number / USERS % 2 == 0 ? "buy" : "sell", "1");
                offered.add(threads.submit(() -> offer(user, order)));
            }
            for (Future<?> one : offered) {
                one.get();
            }
        }
        memory.add(memoryMiB());
        awaitFinal();
        memory.add(memoryMiB());
        left = RedisKeyspace.of(stack).size("orders:active");
        BenchUser.stop(users);
    }

    private boolean offer(BenchUser user, NewOrder order) throws IOException, InterruptedException {
        connections.acquire();
        try {
            Instant sent = Instant.now();
            Rest.Answer answer = user.trader().submit(order, 0);
            double millis = OrderLatency.millis(sent, Instant.now());
            answers.merge(answer.status(), 1, Integer::sum);
            if (answer.status() == 429) {
                refused.add(millis);
            } else {
                admitted.add(millis);
                accepted.computeIfAbsent(user, _ -> new CopyOnWriteArrayList<>())
                        .add(order.id());
            }
            return true;
        } finally {
            connections.release();
        }
    }

    private void awaitFinal() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        for (Map.Entry<BenchUser, List<String>> user : accepted.entrySet()) {
            for (String id : user.getValue()) {
                var order = user.getKey().awaitFinal(id, deadline);
                ends.merge(order.path("status").asText("unknown to Berth"), 1, Integer::sum);
            }
        }
    }

    private double memoryMiB() throws IOException {
        return Memory.residentMebibytes(stack.process("api").pid());
    }

    boolean isGood() {
        int all = accepted.values().stream().mapToInt(List::size).sum();
        return left == 0
                && ends.values().stream().mapToInt(Integer::intValue).sum() == all
                && !ends.containsKey("PENDING");
    }

    void print() {
        Table.row("flood: refused with 429", refused, REFUSED);
        Table.row("flood: admitted", admitted, Goal.NONE);
        Table.row("flood: RSS of the API before, after, drained, MiB", memory, Goal.NONE);
        Table.note("answers %s; the admitted ended as %s; %d left in the count", answers, ends, left);
    }
}
