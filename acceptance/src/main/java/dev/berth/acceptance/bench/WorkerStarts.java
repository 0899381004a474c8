package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
import dev.berth.acceptance.Trader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/** How long a user waits for a worker: from the request to {@code ACTIVE}, by the events of Temporal's history. */
final class WorkerStarts {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Stack stack;
    private final String origin;
    private final Samples samples = new Samples();
    private final Samples idlePss = new Samples();
    private final Samples activePss = new Samples();
    private final Samples activeRss = new Samples();

    /** Counts the starts of this origin, {@code CLAIM} or {@code COLD}; of another one nothing is counted. */
    WorkerStarts(Stack stack, String origin) {
        this.stack = stack;
        this.origin = origin;
    }

    void measure(int rounds) throws IOException, InterruptedException {
        int tries = 0;
        while (samples.count() < rounds && tries++ < 3 * rounds) {
            String user = "bench-" + UUID.randomUUID().toString().substring(0, 8);
            Trader trader = stack.trader(user);
            awaitPool();
            trader.post("/v1/worker");
            JsonNode worker = await(trader, "ACTIVE");
            if (worker.path("origin").asText().equals(origin)) {
                samples.add(startMillis(user));
                Memory memory = Memory.of(worker.path("pid").asLong());
                activePss.add(memory.pssMebibytes());
                activeRss.add(memory.rssMebibytes());
            }
            trader.delete("/v1/worker");
            await(trader, "TERMINATED");
        }
    }

    /** A claim needs an idle worker, and the machine at rest: its refill takes a core for a second. */
    private void awaitPool() throws IOException, InterruptedException {
        if (origin.equals("CLAIM")) {
            Instant deadline = Instant.now().plus(PATIENCE);
            while (Memory.ofIdleWorkers(stack).size() < 2 && Instant.now().isBefore(deadline)) {
                Thread.sleep(200);
            }
            Thread.sleep(1500);
            Memory.ofIdleWorkers(stack).forEach(memory -> idlePss.add(memory.pssMebibytes()));
        }
    }

    private static JsonNode await(Trader trader, String state) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        JsonNode worker = trader.worker();
        while (!worker.path("state").asText().equals(state)) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("waited in vain for " + state + ": " + worker);
            }
            Thread.sleep(20);
            worker = trader.worker();
        }
        return worker;
    }

    /** From the first event of the lifecycle to the task in which it became ACTIVE: the third search attribute. */
    private double startMillis(String user) throws IOException, InterruptedException {
        JsonNode events = stack.history("worker:" + user).path("events");
        Instant active = Instant.MIN;
        for (JsonNode event : events) {
            if (event.path("activityTaskCompletedEventAttributes").isObject()) {
                active = Instant.parse(event.path("eventTime").asText());
            }
        }
        return OrderLatency.millis(
                Instant.parse(events.path(0).path("eventTime").asText()), active);
    }

    void print() {
        Bench.say(
                "worker, asked for to ACTIVE, %-5s                %s", origin.toLowerCase(Locale.ROOT), samples.line());
        if (origin.equals("CLAIM")) {
            Bench.say("PSS of an idle pool worker, MiB                   %s", idlePss.line());
        }
        Bench.say(
                "PSS of an active worker (%-5s), MiB              %s",
                origin.toLowerCase(Locale.ROOT), activePss.line());
        Bench.say(
                "RSS of an active worker (%-5s), MiB              %s",
                origin.toLowerCase(Locale.ROOT), activeRss.line());
    }
}
