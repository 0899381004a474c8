package dev.berth.acceptance.chaos;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.security.HostileTask;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Signal;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Three users whose workers run foreign code: the real process stands still, and something with its
 * identity answers its tasks with what is no answer, and calls the gateway as often as it can. Then
 * an operator suspends the user, which has to end the process.
 */
final class HostileWorkers {
    private static final int WORKERS = 3;
    private static final Duration STARTED = Duration.ofSeconds(30);
    /**
     * A close without an answer takes 30 s; other faults keep the API, Temporal or ECS unavailable
     * meanwhile, one after the other.
     */
    private static final Duration ENDED = Duration.ofMinutes(4);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private HostileWorkers() {}

    /** Returns how many workers were hostile. */
    static int inject(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        List<Future<Boolean>> runs = new ArrayList<>();
        int hostile = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = 0; number < WORKERS; number++) {
                String user = "hostile-" + number;
                runs.add(threads.submit(() -> run(site, user, fault.lasts())));
            }
            for (Future<Boolean> run : runs) {
                hostile += run.get() ? 1 : 0;
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException unavailable) {
                throw new IOException("the stack was unavailable: " + unavailable, unavailable);
            }
            throw new IllegalStateException("a hostile worker: " + failed.getCause(), failed);
        }
        return hostile;
    }

    /** False when the user had no worker in time. */
    private static boolean run(ChaosEnvironment site, String user, Duration lasts)
            throws IOException, InterruptedException, GeneralSecurityException {
        FleetOperator operator = FleetOperator.of(site.stack());
        Trader trader = site.stack().trader(user);
        accepted(() -> operator.tell("/workers/" + user + ":resume", "the next attempt"));
        try {
            accepted(() -> trader.post("/v1/worker"));
            Map<String, String> worker = awaitWorker(site, user);
            if (worker.isEmpty()) {
                return false;
            }
            takeOver(site, user, worker, lasts);
            return true;
        } finally {
            // Also when none came in time: one that comes later would stay.
            suspend(site, user);
        }
    }

    private static void takeOver(ChaosEnvironment site, String user, Map<String, String> worker, Duration lasts)
            throws IOException, InterruptedException, GeneralSecurityException {
        ProcessHandle process = ProcessHandle.of(Long.parseLong(worker.getOrDefault("pid", "0")))
                .orElseThrow(() -> new IOException(user + "'s worker has gone"));
        Signal.STOP.send(List.of(process.pid()));
        try (HostileTask task = HostileTask.launched(site.stack(), user + ":" + worker.get("epoch"));
                HostileTraffic traffic = new HostileTraffic(task, user)) {
            traffic.start();
            Thread.sleep(lasts);
            suspend(site, user);
            awaitEnd(process, user);
        } finally {
            if (process.isAlive()) {
                Signal.CONT.send(List.of(process.pid()));
            }
        }
    }

    private static void suspend(ChaosEnvironment site, String user) throws IOException, InterruptedException {
        FleetOperator operator = FleetOperator.of(site.stack());
        accepted(() -> operator.tell("/workers/" + user + ":suspend", "it is hostile"));
    }

    private interface Call {
        JsonResponse send() throws IOException, InterruptedException;
    }

    /** Other faults may keep the API unavailable for a while. */
    private static void accepted(Call call) throws IOException, InterruptedException {
        Instant latest = Instant.now().plus(ENDED);
        while (true) {
            try {
                if (call.send().status() < 500) {
                    return;
                }
            } catch (IOException unavailable) {
                if (Instant.now().isAfter(latest)) {
                    throw unavailable;
                }
            }
            if (Instant.now().isAfter(latest)) {
                throw new IOException("the API was unavailable for " + ENDED.toMinutes() + " min");
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    /** Its metadata; empty when none serves in time. */
    private static Map<String, String> awaitWorker(ChaosEnvironment site, String user)
            throws IOException, InterruptedException {
        Instant latest = Instant.now().plus(STARTED);
        Map<String, String> worker = Map.of();
        while (!worker.containsKey("pid") && Instant.now().isBefore(latest)) {
            Thread.sleep(POLL_INTERVAL);
            worker = RedisKeyspace.of(site.stack()).hash("worker:metadata:" + user);
        }
        return worker;
    }

    /** @throws IllegalStateException when the suspension did not end it */
    private static void awaitEnd(ProcessHandle process, String user) throws InterruptedException {
        Instant latest = Instant.now().plus(ENDED);
        while (process.isAlive() && Instant.now().isBefore(latest)) {
            Thread.sleep(POLL_INTERVAL);
        }
        if (process.isAlive()) {
            throw new IllegalStateException(
                    user + "'s process lives " + ENDED.toMinutes() + " min after its suspension");
        }
    }
}
