package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import dev.berth.temporal.TemporalClients;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.worker.v1.WorkerHeartbeat;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RecordWorkerHeartbeatRequest;
import io.temporal.api.workflowservice.v1.RecordWorkerHeartbeatResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * What the idle workers of a cell cost Temporal: light stubs park two polls a worker on queues of
 * its own, and send its heartbeat to Temporal each minute. Orders of one real user are timed before
 * and meanwhile.
 */
final class CellLoad implements AutoCloseable {
    private static final int CELL = 10_000;
    private static final List<String> QUEUES = List.of("", "-control");
    private static final int CONNECTIONS = 20;
    /** Longer than Temporal parks a poll, which is 60 s. */
    private static final long POLL_SECONDS = 70;
    /** In it every poll comes back once and is parked again, and every worker sends a heartbeat. */
    private static final Duration WATCHED = Duration.ofSeconds(60);

    private static final int TICKS_A_SECOND = 10;
    /**
     * As fast as ECS starts workers. Temporal reads and writes each new queue's row before it parks
     * a poll, one queue after the other on SQLite: all at once, most polls outlast their deadline.
     */
    private static final int LAUNCHES_A_SECOND = 20;

    private static final Duration SETTLE = Duration.ofSeconds(10);
    private static final int ORDERS = 100;
    /** Numbers differ from call to call, such as a queue's. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    private static final int DESCRIPTION_LENGTH = 120;

    private final Stack stack;
    private final List<WorkflowServiceStubs> connections = new ArrayList<>();
    private final ScheduledExecutorService again =
            Executors.newScheduledThreadPool(1, Thread.ofPlatform().daemon().factory());
    private final AtomicInteger workers = new AtomicInteger();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong heartbeats = new AtomicLong();
    /** By status and description. */
    private final Map<String, AtomicLong> failures = new ConcurrentHashMap<>();
    /** Kept, since the failures are printed and forgotten at each step. */
    private volatile boolean failed;

    private int beating;

    CellLoad(Stack stack) {
        this.stack = stack;
    }

    /** One step of the measurement. */
    private record Cost(int workers, double cpuPercent, double residentMebibytes) {}

    void measure(int most) throws IOException, InterruptedException {
        ResultTable.note("without other workers:");
        orders();
        String target = "127.0.0.1:" + stack.port("TEMPORAL", 7233);
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(WorkflowServiceStubs.newServiceStubs(
                    TemporalClients.stubs(target).build()));
        }
        long temporal = stack.process("temporal").pid();
        List<Cost> costs = new ArrayList<>(List.of(cost(temporal)));
        var _ = again.scheduleAtFixedRate(this::beat, 0, 1_000 / TICKS_A_SECOND, TimeUnit.MILLISECONDS);
        for (int step : List.of(most / 2, most)) {
            parkUpTo(step);
            Thread.sleep(SETTLE);
            costs.add(cost(temporal));
        }
        extrapolate(costs.getFirst(), costs.getLast());
        ResultTable.note("beside %d idle workers:", most);
        orders();
    }

    private void orders() throws IOException, InterruptedException {
        OrderLatency latency = new OrderLatency(stack, ORDERS);
        latency.measure();
        latency.print();
    }

    private void parkUpTo(int wanted) throws InterruptedException {
        while (workers.get() < wanted) {
            for (int i = 0; i < LAUNCHES_A_SECOND / TICKS_A_SECOND && workers.get() < wanted; i++) {
                int worker = workers.getAndIncrement();
                QUEUES.forEach(queue -> poll(worker, "user-simulated-" + worker + queue));
            }
            Thread.sleep(1_000 / TICKS_A_SECOND);
        }
    }

    private WorkflowServiceStub stub(int worker) {
        return WorkflowServiceGrpc.newStub(connections.get(worker % CONNECTIONS).getRawChannel());
    }

    private void poll(int worker, String queue) {
        PollActivityTaskQueueRequest request = PollActivityTaskQueueRequest.newBuilder()
                .setNamespace(TemporalClients.NAMESPACE)
                .setIdentity("simulated-" + worker)
                .setTaskQueue(TaskQueue.newBuilder().setName(queue))
                .build();
        stub(worker)
                .withDeadlineAfter(POLL_SECONDS, TimeUnit.SECONDS)
                .pollActivityTaskQueue(request, new Answer<PollActivityTaskQueueResponse>(answered) {
                    @Override
                    public void onCompleted() {
                        poll(worker, queue);
                    }

                    @Override
                    void repeat() {
                        var _ = again.schedule(() -> poll(worker, queue), 1, TimeUnit.SECONDS);
                    }
                });
    }

    /** Each worker once a minute. */
    private void beat() {
        int all = workers.get();
        int now = (int) Math.ceil((double) all / WATCHED.toSeconds() / TICKS_A_SECOND);
        for (int i = 0; i < now; i++) {
            int worker = beating++ % all;
            stub(worker)
                    .recordWorkerHeartbeat(
                            RecordWorkerHeartbeatRequest.newBuilder()
                                    .setNamespace(TemporalClients.NAMESPACE)
                                    .setIdentity("simulated-" + worker)
                                    .addWorkerHeartbeat(WorkerHeartbeat.newBuilder()
                                            .setWorkerInstanceKey("simulated-" + worker)
                                            .setWorkerIdentity("simulated-" + worker)
                                            .setTaskQueue("user-simulated-" + worker))
                                    .build(),
                            new Answer<RecordWorkerHeartbeatResponse>(heartbeats));
        }
    }

    /** Counts. */
    private class Answer<A> implements StreamObserver<A> {
        private final AtomicLong count;

        Answer(AtomicLong count) {
            this.count = count;
        }

        @Override
        public void onNext(A answer) {
            count.incrementAndGet();
        }

        @Override
        public void onError(Throwable failure) {
            if (!again.isShutdown()) {
                count(Status.fromThrowable(failure));
                repeat();
            }
        }

        void repeat() {}

        @Override
        public void onCompleted() {}
    }

    private Cost cost(long temporal) throws IOException, InterruptedException {
        long answeredBefore = answered.get();
        long heartbeatsBefore = heartbeats.get();
        Duration busy = FleetCost.cpuTime(temporal);
        long began = System.nanoTime();
        Thread.sleep(WATCHED);
        double seconds = (System.nanoTime() - began) / 1e9;
        Cost cost = new Cost(
                workers.get(),
                FleetCost.cpuTime(temporal).minus(busy).toNanos() / seconds / 1e7,
                Memory.residentMebibytes(temporal));
        ResultTable.note(
                "%d idle workers: Temporal uses %.1f %% of a core and %.0f MiB; %.0f polls/s and %.0f heartbeats/s",
                cost.workers,
                cost.cpuPercent,
                cost.residentMebibytes,
                (answered.get() - answeredBefore) / seconds,
                (heartbeats.get() - heartbeatsBefore) / seconds);
        printFailures();
        return cost;
    }

    private void count(Status status) {
        failed = true;
        String description =
                NUMBER.matcher(String.valueOf(status.getDescription())).replaceAll("N");
        String brief = description.substring(0, Math.min(description.length(), DESCRIPTION_LENGTH));
        failures.computeIfAbsent(status.getCode() + ": " + brief, _ -> new AtomicLong())
                .incrementAndGet();
    }

    private void printFailures() {
        failures.forEach((kind, number) -> {
            ResultTable.note("    %d calls failed with %s", number.get(), kind);
            failures.remove(kind);
        });
    }

    private static void extrapolate(Cost none, Cost all) {
        double scale = (double) CELL / all.workers;
        ResultTable.note(
                "so a cell of %d adds %.0f %% of a core and %.0f MiB to Temporal, if both grow evenly",
                CELL,
                (all.cpuPercent - none.cpuPercent) * scale,
                (all.residentMebibytes - none.residentMebibytes) * scale);
    }

    /** False when a call failed. */
    boolean isGood() {
        return !failed;
    }

    @Override
    public void close() {
        again.shutdownNow();
        connections.forEach(WorkflowServiceStubs::shutdownNow);
    }
}
