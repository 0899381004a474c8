package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Submits far more orders at once than the ceiling admits. */
final class Flood {
    private static final Goal REFUSED = Goal.p99(50);
    private static final int USERS = 20;
    /** The client's connections; more requests would measure its own queue. */
    private static final int CONNECTIONS = 64;

    private static final int WARM_UP_SECONDS = 20;

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private final Stack stack;
    private final List<BenchUser> users;
    private final Semaphore connections = new Semaphore(CONNECTIONS);
    private final Measurements refused = new Measurements();
    private final Measurements admitted = new Measurements();
    private final Measurements memory = new Measurements();
    private final Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();
    private final Map<String, Integer> finalStatuses = new TreeMap<>();
    private final Map<BenchUser, List<String>> accepted = new ConcurrentHashMap<>();
    private long activeLeft;

    Flood(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.users = BenchUser.fresh(stack, USERS);
    }

    void measure(int orders) throws IOException, InterruptedException, ExecutionException {
        // The starts and the API's first orders are not measured.
        for (BenchUser user : users) {
            user.start();
        }
        for (BenchUser user : users) {
            user.awaitActive(1);
            user.trader().submit(OrderBody.market("warm", "AAPL", "buy", "1"), WARM_UP_SECONDS);
        }
        memory.add(memoryMiB());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> offered = new ArrayList<>();
            for (int number = 0; number < orders; number++) {
                BenchUser user = users.get(number % USERS);
                OrderBody order = OrderBody.market("f" + number, "AAPL", number / USERS % 2 == 0 ? "buy" : "sell", "1");
                offered.add(threads.submit(() -> offer(user, order)));
            }
            for (Future<?> one : offered) {
                one.get();
            }
        }
        memory.add(memoryMiB());
        awaitFinal();
        memory.add(memoryMiB());
        activeLeft = RedisKeyspace.of(stack).size("orders:active");
        BenchUser.stop(users);
    }

    private boolean offer(BenchUser user, OrderBody order) throws IOException, InterruptedException {
        connections.acquire();
        try {
            Instant sent = Instant.now();
            RestClient.JsonResponse answer = user.trader().submit(order, 0);
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
        Instant deadline = Instant.now().plus(TIMEOUT);
        for (Map.Entry<BenchUser, List<String>> user : accepted.entrySet()) {
            for (String id : user.getValue()) {
                var order = user.getKey().awaitFinal(id, deadline);
                finalStatuses.merge(Objects.requireNonNullElse(order.status(), "unknown to Berth"), 1, Integer::sum);
            }
        }
    }

    private double memoryMiB() throws IOException {
        return Memory.residentMebibytes(stack.process("api").pid());
    }

    boolean isGood() {
        int all = accepted.values().stream().mapToInt(List::size).sum();
        return activeLeft == 0
                && finalStatuses.values().stream().mapToInt(Integer::intValue).sum() == all
                && !finalStatuses.containsKey("PENDING");
    }

    void print() {
        ResultTable.row("flood: refused with 429", refused, REFUSED);
        ResultTable.row("flood: admitted", admitted, Goal.NONE);
        ResultTable.row("flood: RSS of the API before, after, drained", Unit.MEBIBYTES, memory, Goal.NONE);
        ResultTable.note(
                "answers %s; the admitted ended as %s; %d left in the count", answers, finalStatuses, activeLeft);
    }
}
