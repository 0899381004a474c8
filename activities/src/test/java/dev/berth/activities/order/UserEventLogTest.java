package dev.berth.activities.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.UserEvent.FillEvent;
import dev.berth.activities.order.UserEvent.OrderEvent;
import dev.berth.activities.order.UserEvent.WorkerEvent;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UserEventLogTest {
    private static final ClientOrderId O_1 = new ClientOrderId("o-1");
    private static final int ALL = 10_000;
    private static final String WRITE =
            "INSERT INTO order_events (user_id, client_order_id, revision, at, state) VALUES (?, ?, ?, now(), ?::jsonb)";

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final UserEventLog log = new UserEventLog(postgres.client(), postgres.transactions());
    private final PostgresOrderRecords records =
            new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());
    private final OrderState accepted = OrderState.accepted(order(ALICE, "o-1", NOON));
    private final OrderState failed =
            accepted.became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), NOON);

    private static Execution execution(boolean busted) {
        return new Execution("x-1", 0, Decimal.of("2"), Decimal.of("99.5"), NOON, busted);
    }

    private List<UserEvent> after(long position) {
        return log.after(ALICE, position, ALL);
    }

    @Test
    @Tag("C6")
    @DisplayName("Steps, fills and worker changes have one order, and a reader continues behind any position")
    void everythingHasOnePosition() {
        records.record(ALICE, O_1, List.of(accepted), List.of(), HistoryPosition.OUTSIDE);
        assertThat(log.addWorker(ALICE, NOON, "{\"state\":\"ACTIVE\"}")).isTrue();
        records.record(ALICE, O_1, List.of(failed), List.of(execution(false)), HistoryPosition.OUTSIDE);
        List<UserEvent> events = after(0);
        assertThat(events.stream().map(UserEvent::getClass).toList())
                .isEqualTo(List.of(OrderEvent.class, WorkerEvent.class, FillEvent.class, OrderEvent.class));
        assertThat(events.stream().map(UserEvent::position).toList()).isSorted().doesNotHaveDuplicates();
        assertThat(log.last(ALICE)).isEqualTo(events.getLast().position());
        for (int seen = 0; seen < events.size(); seen++) {
            assertThat(after(events.get(seen).position())).isEqualTo(events.subList(seen + 1, events.size()));
        }
        assertThat(log.after(ALICE, 0, 2)).isEqualTo(events.subList(0, 2));
        assertThat(log.after(BOB, 0, ALL)).isEmpty();
        assertThat(log.last(BOB)).isZero();
    }

    @Test
    @Tag("C6")
    @DisplayName("What is written again is not shown again; what changes is")
    void repeatedWritesAreOneEvent() {
        records.record(ALICE, O_1, List.of(accepted), List.of(execution(false)), HistoryPosition.OUTSIDE);
        long seen = log.last(ALICE);
        records.record(ALICE, O_1, List.of(accepted), List.of(execution(false)), HistoryPosition.OUTSIDE);
        assertThat(after(seen)).isEmpty();
        records.record(ALICE, O_1, List.of(), List.of(execution(true)), HistoryPosition.OUTSIDE);
        assertThat(after(seen))
                .singleElement()
                .isInstanceOfSatisfying(
                        FillEvent.class,
                        fill -> assertThat(fill.execution().busted()).isTrue());
    }

    @Test
    @DisplayName("Replicas that see the same change of a worker add it once")
    void workerChangeIsAddedOnce() throws Exception {
        try (ExecutorService replicas = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> added = new ArrayList<>();
            for (int replica = 0; replica < 8; replica++) {
                added.add(replicas.submit(() -> log.addWorker(ALICE, NOON, "{\"state\":\"ACTIVE\", \"epoch\":1}")));
            }
            int times = 0;
            for (Future<Boolean> one : added) {
                times += one.get() ? 1 : 0;
            }
            assertThat(times).isOne();
        }
        assertThat(log.addWorker(ALICE, NOON, "{\"epoch\":1,\"state\":\"ACTIVE\"}"))
                .isFalse();
        assertThat(log.addWorker(ALICE, NOON, "{\"epoch\":2,\"state\":\"ACTIVE\"}"))
                .isTrue();
    }

    private static void write(Connection connection, String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(WRITE)) {
            insert.setString(1, "alice");
            insert.setString(2, id);
            insert.setInt(3, 0);
            insert.setString(4, "{}");
            insert.executeUpdate();
        }
    }

    @Test
    @Tag("C6")
    @DisplayName("No reader sees a later position before an earlier one that is still being committed")
    void positionsBecomeVisibleInOrder() throws Exception {
        try (Connection slow = postgres.as("berth_api").getConnection();
                Connection fast = postgres.as("berth_api").getConnection()) {
            slow.setAutoCommit(false);
            write(slow, "slow");
            CompletableFuture<Void> later = new CompletableFuture<>();
            AtomicBoolean begun = new AtomicBoolean();
            Thread.ofVirtual().start(() -> {
                try {
                    begun.set(true);
                    write(fast, "fast");
                    later.complete(null);
                } catch (SQLException broken) {
                    later.completeExceptionally(broken);
                }
            });
            Awaitility.await().until(() -> begun.get() && isWaitingForLock());
            assertThat(log.last(ALICE)).isZero();
            slow.commit();
            later.get();
            assertThat(postgres.client()
                            .queryForList(
                                    "SELECT client_order_id FROM order_events WHERE user_id = 'alice' ORDER BY position",
                                    String.class))
                    .containsExactly("slow", "fast");
        }
    }

    private static boolean isWaitingForLock() {
        return Boolean.TRUE.equals(postgres.client()
                .queryForObject(
                        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock')", Boolean.class));
    }

    @Test
    @Tag("C6")
    @DisplayName("A reader that follows concurrent writers sees each event once and in order")
    void readerOfConcurrentWritersMissesNothing() throws Exception {
        int writers = 4;
        int each = 50;
        List<Long> seen = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writes = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                String name = "w" + writer + "-";
                writes.add(threads.submit(() -> {
                    for (int number = 0; number < each; number++) {
                        OrderState state = OrderState.accepted(order(ALICE, name + number, NOON));
                        records.record(
                                ALICE,
                                state.request().clientOrderId(),
                                List.of(state),
                                List.of(),
                                HistoryPosition.OUTSIDE);
                    }
                }));
            }
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        after(seen.isEmpty() ? 0 : seen.getLast()).forEach(event -> seen.add(event.position()));
                        return writes.stream().allMatch(Future::isDone) && seen.size() >= writers * each;
                    });
        }
        assertThat(seen).isSorted().doesNotHaveDuplicates().hasSize(writers * each);
        assertThat(after(0).stream().map(UserEvent::position).toList()).isEqualTo(seen);
    }
}
