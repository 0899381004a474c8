package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.TestTemporal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.untrusted.UntrustedInputInterceptor;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.worker.WorkflowImplementationOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Temporal's real server asks for a new run after a few events, and only one workflow stays in
 * memory: what an order goes on with is its record alone. Signals, cancels and replaces come at
 * random, and a worker's answers are lost before or after the venue has heard. {@code
 * -Dberth.seed=…} gives back what is chosen, but not how orders, workers and the venue meet.
 */
class RenewedOrderTest {
    private static final int ORDERS = 30;
    /** A run's first task ends at 4 events, and at more when the order was recorded in it. */
    private static final Map<String, String> SHORT_RUNS = Map.of("limit.historyCount.suggestContinueAsNew", "4");

    /** Else a workflow that differs in a replay would be tried again for ever. */
    private static final WorkflowImplementationOptions ENDS_AT_A_FAULT = WorkflowImplementationOptions.newBuilder()
            .setFailWorkflowExceptionTypes(Throwable.class)
            .build();

    private static final WorkerOptions ONE_POLLER =
            WorkerOptions.newBuilder().setMaxConcurrentActivityTaskPollers(1).build();

    private final TestTemporal temporal = TestTemporal.start(SHORT_RUNS);
    private final WorkflowClient client = WorkflowClient.newInstance(
            temporal.stubs(),
            WorkflowClientOptions.newBuilder()
                    .setNamespace(TestTemporal.NAMESPACE)
                    .build());
    private final WorkerFactory factory = WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                    .setWorkflowCacheSize(1)
                    .setWorkerInterceptors(new UntrustedInputInterceptor((_, _, _) -> {}))
                    .build());

    @AfterEach
    void stop() {
        factory.shutdownNow();
        temporal.close();
    }

    @Test
    @Tag("B4")
    @Tag("X12")
    @Timeout(300)
    @DisplayName("However often an order goes on in a new run, it is sent once and ends as the venue's book says")
    void agreesWithTheVenue() {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        System.out.println("RenewedOrderTest: -Dberth.seed=" + seed);
        Random random = new Random(seed);
        List<Trader> traders = IntStream.range(0, ORDERS)
                .mapToObj(number -> new Trader(new UserId("trader-" + number), random.nextLong()))
                .toList();
        factory.newWorker(TaskQueues.ORDERS)
                .registerWorkflowImplementationTypes(ENDS_AT_A_FAULT, OrderWorkflowImpl.class);
        factory.getWorker(TaskQueues.ORDERS)
                .registerActivitiesImplementations(
                        new RecordsByUser(traders.stream()
                                .collect(
                                        Collectors.toMap(trader -> trader.request.userId(), trader -> trader.records))),
                        new FakeWorkerRequests(Instant::now));
        factory.start();
        List<CompletableFuture<Boolean>> renewed = traders.stream()
                .map(trader -> CompletableFuture.supplyAsync(trader::trade, Thread::startVirtualThread))
                .toList();
        assertThat(renewed.stream().filter(CompletableFuture::join))
                .as("orders with several runs; by chance two in three")
                .hasSizeGreaterThan(ORDERS / 4);
    }

    /** One user with one order, a worker and a read model. */
    private final class Trader {
        private final OrderRequest request;
        private final Random random;
        private final LossyWorker worker;
        private final FakeOrderRecords records = new FakeOrderRecords();
        private final OrderWorkflow order;
        private final List<ExecutionReport> onTheirWay = new ArrayList<>();

        private Trader(UserId userId, long seed) {
            this.request = Samples.marketOf(userId);
            this.random = new Random(seed);
            this.worker = new LossyWorker(random.nextLong());
            for (String queue : List.of(TaskQueues.ordersOf(userId), TaskQueues.controlOf(userId))) {
                factory.newWorker(queue, ONE_POLLER).registerActivitiesImplementations(worker);
            }
            this.order = client.newWorkflowStub(
                    OrderWorkflow.class,
                    WorkflowOptions.newBuilder()
                            .setWorkflowId(OrderFixture.id(request))
                            .setTaskQueue(TaskQueues.ORDERS)
                            .build());
        }

        /** Whether the order ended in another run than its first. */
        private boolean trade() {
            String first = WorkflowClient.start(order::run, OrderState.accepted(request))
                    .getRunId();
            if (random.nextBoolean()) {
                awaitCall();
            }
            for (int step = 0; step < 10; step++) {
                step();
            }
            while (!onTheirWay.isEmpty()) {
                deliver();
            }
            worker.end();
            WorkflowStub ended = WorkflowStub.fromTyped(order);
            agrees(result(ended));
            return !ended.describe().getExecution().getRunId().equals(first);
        }

        /** A check finds the end. Where lost answers put it off for long, a report tells it. */
        private OrderState result(WorkflowStub ended) {
            while (true) {
                try {
                    return ended.getResult(5, TimeUnit.SECONDS, OrderState.class);
                } catch (TimeoutException late) {
                    ExecutionReport report = worker.look();
                    if (report != null) {
                        tell(() -> order.report(report));
                    }
                }
            }
        }

        private void step() {
            switch (random.nextInt(19)) {
                case 0 -> tell(order::cancel);
                case 1, 2, 3, 4, 5, 6, 7 -> fill();
                case 8, 9, 10 -> {
                    Decimal wanted = Decimal.of(Integer.toString(1 + random.nextInt(20)));
                    tell(() -> order.replace(new Replacement(wanted, null, null)));
                }
                case 11 -> tell(() -> order.accountRefused(Samples.PAPER, "by the broker"));
                case 12 -> awaitCall();
                default -> deliver();
            }
        }

        private void awaitCall() {
            int before = worker.calls.get();
            await().until(() ->
                    worker.calls.get() > before || order.state().status().isFinal());
        }

        /** Its report arrives some time, perhaps twice, or not at all. */
        private void fill() {
            ExecutionReport report = worker.fill();
            for (int times = random.nextInt(3); report != null && times > 0; times--) {
                onTheirWay.add(report);
            }
        }

        private void deliver() {
            if (!onTheirWay.isEmpty()) {
                ExecutionReport report = onTheirWay.remove(random.nextInt(onTheirWay.size()));
                tell(() -> order.report(report));
            }
        }

        private static void tell(Runnable message) {
            try {
                message.run();
            } catch (WorkflowException over) {
                // It has ended meanwhile.
            }
        }

        private void agrees(OrderState end) {
            synchronized (worker) {
                assertAgrees(request.userId().toString(), end);
            }
        }

        private void assertAgrees(String name, OrderState end) {
            assertThat(worker.sent).as(name).isLessThanOrEqualTo(1);
            if (worker.sent == 1) {
                assertThat(end.status()).as(name).isEqualTo(worker.venue.status());
                assertThat(end.filledQuantity())
                        .as(name)
                        .isEqualByComparingTo(Decimal.of(Integer.toString(worker.venue.filled())));
            } else {
                assertThat(end.status()).as(name).isIn(OrderStatus.CANCELED, OrderStatus.FAILED);
            }
            assertThat(Stream.concat(
                                    records.ledger.stream(),
                                    records.late.stream().flatMap(late -> late.executions().stream()))
                            .map(Execution::executionId)
                            .distinct())
                    .as(name)
                    .hasSize(worker.venue.executions());
            assertThat(end.pending()).as(name).isNull();
            assertThat(records.steps.getLast()).as(name).isEqualTo(end);
        }
    }

    /** The read model of each user's one order. One in six writes fails, and is tried again. */
    private record RecordsByUser(Map<UserId, ? extends OrderRecords> records) implements OrderRecords {
        private OrderRecords of(UserId userId) {
            return Objects.requireNonNull(records.get(userId));
        }

        @Override
        public void record(
                UserId userId,
                ClientOrderId clientOrderId,
                List<OrderState> written,
                List<Execution> executions,
                HistoryPosition from) {
            if (ThreadLocalRandom.current().nextInt(6) == 0) {
                throw new IllegalStateException("the database does not answer");
            }
            of(userId).record(userId, clientOrderId, written, executions, from);
        }

        @Override
        public @Nullable OrderState read(UserId userId, ClientOrderId clientOrderId) {
            return of(userId).read(userId, clientOrderId);
        }

        @Override
        public @Nullable OrderState recordLateReport(
                UserId userId, ClientOrderId clientOrderId, ExecutionReport report) {
            return of(userId).recordLateReport(userId, clientOrderId, report);
        }
    }

    /** A worker in front of the model's venue. One in six of its answers is lost. */
    public static final class LossyWorker implements VenueOrders, VenueControl {
        private final Random random;
        private ModelVenue venue = new ModelVenue(10);
        private int sent;
        private boolean isEnding;
        private int lastForbidden;
        private final AtomicInteger calls = new AtomicInteger();

        LossyWorker(long seed) {
            random = new Random(seed);
        }

        private void mayFail(String when) {
            if (random.nextInt(12) == 0) {
                throw new IllegalStateException("the connection broke " + when);
            }
        }

        private <A> A lossy(Supplier<A> call) {
            calls.incrementAndGet();
            mayFail("before the venue heard");
            A answer = call.get();
            mayFail("after the venue heard");
            return answer;
        }

        private synchronized @Nullable ExecutionReport fill() {
            return sent == 1 && venue.isOpen()
                    ? venue.fill(1 + random.nextInt(Math.min(3, venue.remaining())), 90 + random.nextInt(20))
                    : null;
        }

        private synchronized @Nullable ExecutionReport look() {
            return sent == 1 ? venue.look() : null;
        }

        /** What it has, now or later, is filled at once. */
        private synchronized void end() {
            isEnding = true;
            fillAtEnd();
        }

        private void fillAtEnd() {
            if (isEnding && sent == 1 && venue.isOpen()) {
                venue.fill(venue.remaining(), 100);
            }
        }

        @Override
        public synchronized SubmitOutcome submit(SubmitOrder command) {
            if (command.attempt() <= lastForbidden) {
                return new SubmitOutcome.Declined(SubmitOutcome.Cause.FORBIDDEN);
            }
            if (random.nextInt(6) == 0) {
                return new SubmitOutcome.Declined(SubmitOutcome.Cause.FENCED);
            }
            return lossy(() -> {
                venue = new ModelVenue(command.request().quantity().value().intValueExact());
                sent++;
                fillAtEnd();
                return new SubmitOutcome.Answered(venue.look(), InMemoryServer.OPEN);
            });
        }

        @Override
        public synchronized FindOutcome find(FindOrder question) {
            lastForbidden = Math.max(lastForbidden, question.attempt());
            return lossy(() -> found(question.version()));
        }

        @Override
        public FindOutcome check(FindOrder question) {
            return find(question);
        }

        @Override
        public FindOutcome findExecutions(FindOrder question) {
            return find(question);
        }

        @Override
        public synchronized FindOutcome cancel(CancelOrder order) {
            return lossy(() -> {
                if (sent == 1 && venue.isOpen() && venue.look().version() == order.version()) {
                    venue.cancel();
                }
                return found(order.version());
            });
        }

        @Override
        public synchronized ReplaceOutcome replace(ReplaceOrder order) {
            return lossy(() -> {
                ExecutionReport current = Objects.requireNonNull(venue.look(order.current()));
                int remaining = order.wanted().quantity().value().intValueExact() - venue.filled();
                boolean isCurrent = venue.look().version() == order.current();
                if (!venue.isOpen() || !isCurrent || remaining <= 0) {
                    return new ReplaceOutcome.NotReplaced(current, OrderFailures.tooLateToReplace());
                }
                ReplaceOutcome replaced = venue.replace(order.next(), remaining);
                fillAtEnd();
                return replaced;
            });
        }

        private FindOutcome found(int version) {
            ExecutionReport report = sent == 1 ? venue.look(version) : null;
            return report == null ? new FindOutcome.Absent(1) : new FindOutcome.Found(report);
        }
    }
}
