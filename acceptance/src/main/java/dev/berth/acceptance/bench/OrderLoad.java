package dev.berth.acceptance.bench;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.stack.Stack;
import dev.berth.workflows.order.OrderWorkflow;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Measures orders in a closed loop over REST, in turn with bare workflows: how many end a second,
 * the CPU time that one takes, and how long after its answer its workflow ends.
 */
final class OrderLoad {
    private static final Goal THROUGHPUT = Goal.medianAtLeast(0.8);
    private static final Goal CPU = Goal.median(1.25);
    private static final Goal LAG = Goal.p99(1_000);
    private static final int MOST_USERS = 24;
    private static final List<Load> LOADS = List.of(new Load(8, 1), new Load(8, 3), new Load(MOST_USERS, 3));
    private static final Duration ROUND = Duration.ofSeconds(8);
    /** The servers' hot methods are compiled by then. */
    private static final Duration SERVERS_WARM_UP = Duration.ofSeconds(60);

    private static final Duration WORKERS_WARM_UP = Duration.ofSeconds(15);
    private static final Duration ALL_ENDED = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 100;
    private static final int ANSWER_SECONDS = 30;
    /** Each host has room for some 30 workers. */
    private static final int HOSTS = 4;

    private static final String BARE = "BareWorkflow";

    private final Stack stack;
    private final WorkflowClient temporal;
    private final List<BenchUser> users;

    private record Load(int users, int atOnce) {
        @Override
        public String toString() {
            return users * atOnce + " at once";
        }
    }

    /**
     * What a round measured.
     *
     * @param rate workflows that ended, a second
     * @param cpu milliseconds an order
     * @param parts the same by server
     * @param lags milliseconds from the answer to the end
     */
    private record Round(double rate, double cpu, String parts, List<Double> lags) {}

    OrderLoad(Stack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.temporal = BareWorker.connect("127.0.0.1:" + stack.port("TEMPORAL", 7233));
        this.users = BenchUser.fresh(stack, MOST_USERS);
    }

    void measure(int rounds) throws IOException, InterruptedException, ExecutionException {
        LocalEcsControl ecs = new LocalEcsControl(stack);
        ecs.hosts(HOSTS);
        try (BareFleet bare = new BareFleet(stack, MOST_USERS)) {
            bare.run(ClosedLoop.of(bare.users(), 1, SERVERS_WARM_UP));
            int started = 0;
            for (Load load : LOADS) {
                start(users.subList(started, load.users()), started == 0 ? SERVERS_WARM_UP : WORKERS_WARM_UP);
                started = load.users();
                measure(load, rounds, bare);
            }
        } finally {
            BenchUser.stop(users);
            ecs.usualHosts();
            temporal.getWorkflowServiceStubs().shutdownNow();
        }
    }

    /** Their workers are warm afterwards. */
    private void start(List<BenchUser> next, Duration warmUp)
            throws IOException, InterruptedException, ExecutionException {
        for (BenchUser user : next) {
            user.start();
        }
        for (BenchUser user : next) {
            user.awaitActive(1);
        }
        if (!next.isEmpty()) {
            loop(next, 1, warmUp).run(this::send);
            awaitAllEnded();
        }
    }

    private void measure(Load load, int rounds, BareFleet bare)
            throws IOException, InterruptedException, ExecutionException {
        Measurements bareRate = new Measurements();
        Measurements rate = new Measurements();
        Measurements rates = new Measurements();
        Measurements bareCpu = new Measurements();
        Measurements cpu = new Measurements();
        Measurements cpus = new Measurements();
        Measurements lag = new Measurements();
        // The first of each is not counted.
        Round before = bareRound(load, bare);
        Round order = round(load);
        for (int number = 0; number < rounds; number++) {
            before = bareRound(load, bare);
            order = round(load);
            bareRate.add(before.rate());
            rate.add(order.rate());
            rates.add(order.rate() / before.rate());
            bareCpu.add(before.cpu());
            cpu.add(order.cpu());
            cpus.add(order.cpu() / before.cpu());
            order.lags().forEach(lag::add);
        }
        ResultTable.row("bare workflows ended, " + load, Unit.PER_SECOND, bareRate, Goal.NONE);
        ResultTable.row("orders ended, " + load, Unit.PER_SECOND, rate, Goal.NONE);
        ResultTable.row("  to bare", Unit.RATIO, rates, THROUGHPUT);
        ResultTable.row("  answer to the workflow's end", lag, LAG);
        ResultTable.row("CPU of a bare workflow, " + load, bareCpu, Goal.NONE);
        ResultTable.row("CPU of an order, " + load, cpu, Goal.NONE);
        ResultTable.row("  to bare", Unit.RATIO, cpus, CPU);
        ResultTable.note("bare: %s", before.parts());
        ResultTable.note("order: %s", order.parts());
    }

    private Round bareRound(Load load, BareFleet bare) throws IOException, InterruptedException {
        List<String> some = bare.users().subList(0, load.users());
        Instant begin = Instant.now();
        StackCpu stackBefore = StackCpu.now(stack);
        Duration before = bare.cpu();
        List<ClosedLoop.Sent> sent = bare.run(ClosedLoop.of(some, load.atOnce(), ROUND));
        Duration own = bare.cpu().minus(before);
        StackCpu servers = StackCpu.now(stack).since(stackBefore);
        return new Round(
                rate(endsSince(BARE, begin), begin),
                millis(own.plus(servers.shared())) / sent.size(),
                String.format(
                        Locale.ROOT,
                        "%s; its own processes %.1f",
                        servers.perOrder(sent.size()),
                        millis(own) / sent.size()),
                List.of());
    }

    private Round round(Load load) throws IOException, InterruptedException, ExecutionException {
        Instant begin = Instant.now();
        StackCpu before = StackCpu.now(stack);
        List<ClosedLoop.Sent> sent =
                loop(users.subList(0, load.users()), load.atOnce(), ROUND).run(this::send);
        awaitAllEnded();
        StackCpu used = StackCpu.now(stack).since(before);
        Map<String, Instant> ends = endsSince(OrderWorkflow.TYPE, begin);
        List<Double> lags = sent.stream()
                .map(order -> OrderLatency.millis(order.answered(), ends.getOrDefault(order.id(), Instant.MAX)))
                .toList();
        return new Round(rate(ends, begin), millis(used.all()) / sent.size(), used.perOrder(sent.size()), lags);
    }

    private static double rate(Map<String, Instant> ends, Instant begin) {
        long inTime = ends.values().stream()
                .filter(end -> end.isBefore(begin.plus(ROUND)))
                .count();
        return (double) inTime / ROUND.toSeconds();
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }

    private static ClosedLoop loop(List<BenchUser> users, int atOnce, Duration time) {
        return ClosedLoop.of(users.stream().map(BenchUser::name).toList(), atOnce, time);
    }

    private void send(String user, String id, String side) throws IOException, InterruptedException {
        BenchUser trader = users.stream()
                .filter(one -> one.name().equals(user))
                .findFirst()
                .orElseThrow();
        JsonResponse answer = trader.trader().submit(OrderBody.market(id, "SPY", side, "1"), ANSWER_SECONDS);
        if (answer.status() != 201 || !answer.as(PlacedOrder.class).isIn("FILLED")) {
            throw new IllegalStateException("order " + id + ": " + answer.status() + " " + answer.body());
        }
    }

    private void awaitAllEnded() throws InterruptedException {
        Instant deadline = Instant.now().plus(ALL_ENDED);
        while (temporal.countWorkflows("ExecutionStatus = 'Running' AND WorkflowType = '" + OrderWorkflow.TYPE + "'")
                        .getCount()
                > 0) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("order workflows still run after " + ALL_ENDED);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** When workflows ended, by the last part of their ids. */
    private Map<String, Instant> endsSince(String type, Instant begin) {
        return temporal.listExecutions("WorkflowType = '" + type + "' AND CloseTime >= '" + begin + "'")
                .collect(Collectors.toMap(OrderLoad::orderId, WorkflowExecutionMetadata::getCloseTime));
    }

    private static String orderId(WorkflowExecutionMetadata workflow) {
        String id = workflow.getExecution().getWorkflowId();
        return id.substring(id.lastIndexOf(':') + 1);
    }
}
