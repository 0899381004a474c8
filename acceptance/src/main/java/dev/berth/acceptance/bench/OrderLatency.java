package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.VenueLog;
import dev.berth.temporal.TemporalWorkers;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Measures an order's way to the venue against a bare workflow's way to its activity. */
final class OrderLatency {
    private static final int WARM_UP = 60;

    private final Stack stack;
    private final int rounds;
    private final Measurements bare = new Measurements();
    private final Measurements accepted = new Measurements();
    private final Measurements sent = new Measurements();
    private final Measurements answered = new Measurements();
    private final Measurements gatewayCpu = new Measurements();

    OrderLatency(Stack stack, int rounds) {
        this.stack = stack;
        this.rounds = rounds;
    }

    void measure() throws IOException, InterruptedException {
        String target = "127.0.0.1:" + stack.port("TEMPORAL", 7233);
        Process worker = startWorkerProcess(target);
        WorkflowClient client = BareWorker.connect(target);
        WorkerFactory factory = WorkerFactory.newInstance(client, TemporalWorkers.factory());
        factory.newWorker(BareWorkflow.WORKFLOWS)
                .registerWorkflowImplementationTypes(BareWorkflow.OneActivityWorkflow.class);
        factory.start();
        try {
            measureInTurn(client, stack.trader("bench"));
        } finally {
            factory.shutdownNow();
            client.getWorkflowServiceStubs().shutdownNow();
            worker.destroy();
            worker.waitFor();
        }
    }

    private static Process startWorkerProcess(String target) throws IOException {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        return new ProcessBuilder(List.of(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BareWorker.class.getName(),
                        target))
                .inheritIO()
                .start();
    }

    private void measureInTurn(WorkflowClient client, Trader trader) throws IOException, InterruptedException {
        Map<String, Instant> posted = new HashMap<>();
        Map<String, Instant> submitted = new HashMap<>();
        long gateway = stack.process("gateway").pid();
        Duration before = Duration.ZERO;
        for (int round = -WARM_UP; round < rounds; round++) {
            if (round == 0) {
                before = FleetCost.cpuTime(gateway);
            }
            double bareMillis = bareRound(client);
            String id = "bench-" + UUID.randomUUID();
            Instant begin = Instant.now();
            PlacedOrder order =
                    trader.submit(OrderBody.market(id, "SPY", "buy", "1"), 10).as(PlacedOrder.class);
            if (round >= 0) {
                bare.add(bareMillis);
                answered.add(millis(begin, Instant.now()));
                posted.put(id, begin);
                submitted.put(id, order.submittedAt());
            }
        }
        gatewayCpu.add(FleetCost.cpuTime(gateway).minus(before).toNanos() / 1e6 / rounds);
        arrivals(stack).forEach((id, arrived) -> {
            if (posted.containsKey(id)) {
                sent.add(millis(posted.getOrDefault(id, arrived), arrived));
                accepted.add(millis(submitted.getOrDefault(id, arrived), arrived));
            }
        });
    }

    /** When each order arrived at the venue. */
    static Map<String, Instant> arrivals(Stack stack) throws IOException, InterruptedException {
        Map<String, Instant> times = new HashMap<>();
        for (VenueLog.Arrival arrival : VenueLog.of(stack).arrivals()) {
            times.put(arrival.clientOrderId(), arrival.time());
        }
        return times;
    }

    private static double bareRound(WorkflowClient client) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setTaskQueue(BareWorkflow.WORKFLOWS)
                .setDisableEagerExecution(false)
                .build();
        Instant begin = Instant.now();
        return millis(
                begin,
                Instant.parse(
                        client.newWorkflowStub(BareWorkflow.class, options).run()));
    }

    static double millis(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e6;
    }

    void print() {
        ResultTable.row("bare workflow, start to activity running", bare, Goal.NONE);
        ResultTable.row("order, accepted to at the venue", accepted, Goal.NONE);
        ResultTable.row("order, POST sent to at the venue", sent, Goal.NONE);
        ResultTable.row("order, POST sent to answer received", answered, Goal.NONE);
        ResultTable.row("CPU of the gateway an order", gatewayCpu, Goal.NONE);
        ResultTable.note(
                "median, in bare workflows: accepted to at the venue %.2f, POST sent to at the venue %.2f",
                accepted.median() / bare.median(), sent.median() / bare.median());
    }
}
