package dev.berth.acceptance.bench;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends orders as fast as they are answered: each user has a number of them on the way.
 *
 * @param atOnce orders of a user on the way
 * @param time how long new orders begin
 * @param most orders of each of those loops
 */
record ClosedLoop(List<String> users, int atOnce, Duration time, int most) {
    /** For that long. */
    static ClosedLoop of(List<String> users, int atOnce, Duration time) {
        return new ClosedLoop(users, atOnce, time, Integer.MAX_VALUE);
    }

    /** One after the other. */
    static ClosedLoop of(String user, int orders) {
        return new ClosedLoop(List.of(user), 1, Duration.ofHours(1), orders);
    }

    /** Sends an order and returns when it is answered. */
    interface Sender {
        void send(String user, String id, String side) throws IOException, InterruptedException;
    }

    /** An order, from its start to its answer. */
    record Sent(String id, Instant begun, Instant answered) {}

    /** Returns when the last order is answered. */
    List<Sent> run(Sender sender) throws InterruptedException, ExecutionException {
        Instant end = Instant.now().plus(time);
        List<Sent> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Sent>>> loops = new ArrayList<>();
            for (String user : users) {
                for (int loop = 0; loop < atOnce; loop++) {
                    loops.add(threads.submit(() -> sendUntil(end, user, sender)));
                }
            }
            for (Future<List<Sent>> loop : loops) {
                all.addAll(loop.get());
            }
        }
        return all;
    }

    private List<Sent> sendUntil(Instant end, String user, Sender sender) throws IOException, InterruptedException {
        List<Sent> sent = new ArrayList<>();
        Instant begin = Instant.now();
        while (begin.isBefore(end) && sent.size() < most) {
            String id = "bench-" + UUID.randomUUID();
            sender.send(user, id, sent.size() % 2 == 0 ? "buy" : "sell");
            sent.add(new Sent(id, begin, Instant.now()));
            begin = Instant.now();
        }
        return sent;
    }
}
