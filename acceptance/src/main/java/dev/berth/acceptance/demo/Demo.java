package dev.berth.acceptance.demo;

import com.google.errorprone.annotations.FormatMethod;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Signal;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Three users trade in three processes; one process is killed in mid-order. Ends with 0 only if all
 * came out right.
 */
public final class Demo {
    private static final int PATIENCE_SECONDS = 60;

    private final Stack stack;
    /** Part of every order id, so that the demo can be run again on the same data. */
    private final String run;

    private Demo(Stack stack) {
        this.stack = stack;
        this.run = DateTimeFormatter.ofPattern("HHmmss", Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(Instant.now());
    }

    static void main() throws Exception {
        boolean good = new Demo(Stack.ofEnvironment()).run();
        System.exit(good ? 0 : 1);
    }

    private boolean run() throws Exception {
        say("%nalice, bob and carol trade, each in a process of their own.");
        List<DemoUser> users = List.of(user("alice"), user("bob"), user("carol"));
        for (DemoUser user : users) {
            awaitIdlePoolWorker();
            user.begin();
        }
        together(users, DemoUser::trade);
        say("bob's process gets SIGKILL while his order is at a slow venue.");
        DemoKill kill = killInMidOrder(users.get(1));
        DemoReport report = new DemoReport(stack, users, kill);
        report.print();
        return report.isGood();
    }

    /** Users of a running platform find a filled pool: their workers are claimed, not started. */
    private void awaitIdlePoolWorker() throws IOException, InterruptedException {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        Instant deadline = Instant.now().plusSeconds(PATIENCE_SECONDS);
        while (redis.idlePoolWorkers().isEmpty() && Instant.now().isBefore(deadline)) {
            Thread.sleep(100);
        }
    }

    private DemoUser user(String name) throws IOException, InterruptedException {
        return new DemoUser(stack.trader(name), name + "-" + run);
    }

    private DemoKill killInMidOrder(DemoUser user) throws Exception {
        String order = user.id("killed");
        slowVenue(2000);
        try (ExecutorService background = Executors.newSingleThreadExecutor()) {
            Future<RestClient.JsonResponse> answer =
                    background.submit(() -> user.submit(OrderBody.market(order, "NVDA", "buy", "7"), PATIENCE_SECONDS));
            user.await(order, "DISPATCHED");
            long pid = user.trader().worker().pid();
            Instant killed = Instant.now();
            Signal.KILL.send(List.of(pid));
            slowVenue(0);
            Worker next = user.awaitWorkerAfter(pid);
            answer.get();
            return new DemoKill(order, pid, killed, next, user.await(order, "FILLED"));
        } finally {
            slowVenue(0);
        }
    }

    private void slowVenue(int millis) throws IOException, InterruptedException {
        stack.venue().call("PUT", "/_control/faults", "{\"delayMillis\":" + millis + "}");
    }

    private static void together(List<DemoUser> users, Work work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> all = new ArrayList<>();
            for (DemoUser user : users) {
                all.add(threads.submit((Callable<Void>) () -> {
                    work.of(user);
                    return null;
                }));
            }
            for (Future<Void> one : all) {
                one.get();
            }
        }
    }

    private interface Work {
        void of(DemoUser user) throws Exception;
    }

    @FormatMethod
    static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
