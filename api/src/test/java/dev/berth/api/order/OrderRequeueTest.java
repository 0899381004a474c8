package dev.berth.api.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.OrdersInAttention;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.api.order.OrderRequeue.Line;
import dev.berth.api.order.OrderRequeue.Result;
import dev.berth.local.LocalPostgres;
import dev.berth.local.LocalRedis;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.VenueReport;
import io.lettuce.core.RedisClient;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** No worker runs, so that an order that was started again stays as it was started. */
class OrderRequeueTest {
    private static final Reason NOT_TAKEN = FailureCode.NOT_TAKEN.because("Nobody took it.");

    /** Recent, since what failed is kept for 14 days only. */
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    private static LocalRedis redis;
    private static RedisClient redisClient;
    private static LocalPostgres postgres;
    private static JdbcTemplate database;
    private static TestWorkflowEnvironment server;
    private static WorkflowClient temporal;
    private static OrderReadModel readModel;
    private static OrdersInAttention attention;
    private static PostgresOrderRecords records;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        redis = LocalRedis.start(0, folder.resolve("redis"));
        redisClient = RedisClient.create(redis.uri().toString());
        postgres = LocalPostgres.start(0, folder.resolve("postgres"));
        var source = new DriverManagerDataSource(postgres.jdbcUrl());
        Flyway.configure().dataSource(source).load().migrate();
        database = new JdbcTemplate(source);
        readModel = new OrderReadModel(database);
        attention = new OrdersInAttention(database);
        records = new PostgresOrderRecords(
                database,
                new TransactionTemplate(new DataSourceTransactionManager(source)),
                redisClient.connect().sync());
        TestEnvironmentOptions.Builder options =
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false);
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        server = TestWorkflowEnvironment.newInstance(options.build());
        temporal = server.getWorkflowClient();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        redisClient.shutdown();
        redis.close();
        postgres.close();
    }

    @BeforeEach
    void forget() {
        database.update("TRUNCATE orders, order_events, fills");
    }

    private static OrderRequeue requeue(Instant now) {
        return new OrderRequeue(readModel, attention, new OrderWorkflows(temporal), records, () -> now);
    }

    private static OrderState accepted(String id, Instant submittedAt) {
        return OrderState.accepted(Samples.order(id, submittedAt)).attempted(submittedAt);
    }

    private OrderState failed(String id, Reason reason) {
        return recorded(accepted(id, start).became(OrderStatus.FAILED, reason, start.plusSeconds(1)));
    }

    private static OrderState recorded(OrderState order) {
        records.record(
                order.request().userId(),
                order.request().clientOrderId(),
                List.of(order),
                List.of(),
                HistoryPosition.OUTSIDE);
        return order;
    }

    private @Nullable String refusal(String id) {
        Line line = requeue(start.plusSeconds(5)).judge("alice:" + id);
        assertThat(line.result()).isEqualTo(Result.REFUSED);
        return line.why();
    }

    @DisplayName(
            "D7, X15 a failed order begins again under its id, with the question to the venue; its log says who and why")
    @Test
    void beginsAgain() throws Exception {
        OrderState before = accepted("again", start);
        new OrderWorkflows(temporal).start(before.request());
        temporal.newUntypedWorkflowStub("order:alice:again").terminate("it failed");
        failed("again", NOT_TAKEN);
        assertThat(attention.count()).isOne();
        Line line = requeue(start.plusSeconds(5)).requeue("alice:again", "olga: the exchange is back");
        assertThat(line).isEqualTo(new Line("alice:again", Result.REQUEUED, null));
        assertThat(temporal.newUntypedWorkflowStub("order:alice:again")
                        .describe()
                        .getStatus())
                .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
        OrderState now = readModel
                .find(before.request().userId(), before.request().clientOrderId())
                .orElseThrow();
        assertThat(now.status()).isEqualTo(OrderStatus.UNKNOWN);
        assertThat(now.finalAt()).isNull();
        assertThat(String.valueOf(now.reason()))
                .isEqualTo("internal: requeued: Requeued by olga: the exchange is back");
        assertThat(readModel.events(before.request().userId(), before.request().clientOrderId()))
                .extracting(OrderState::status)
                .containsExactly(OrderStatus.FAILED, OrderStatus.UNKNOWN);
        assertThat(attention.count()).isZero();
    }

    @DisplayName("X15 a dry run says what would be done, and does nothing")
    @Test
    void aDryRun() {
        OrderState order = failed("dry", NOT_TAKEN);
        assertThat(requeue(start.plusSeconds(5)).judge("alice:dry"))
                .isEqualTo(new Line("alice:dry", Result.WOULD_REQUEUE, null));
        assertThat(readModel.find(order.request().userId(), order.request().clientOrderId()))
                .contains(order);
        assertThat(attention.count()).isOne();
    }

    @DisplayName("X15 of two requeues at once one is refused")
    @Test
    void twoAtOnce() throws Exception {
        failed("twice", NOT_TAKEN);
        OrderRequeue requeue = requeue(start.plusSeconds(5));
        List<CompletableFuture<Line>> both = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        for (CompletableFuture<Line> one : both) {
            Thread.ofVirtual()
                    .start(() -> one.completeAsync(() -> {
                        try {
                            return requeue.requeue("alice:twice", "olga: again");
                        } catch (InterruptedException cutOff) {
                            throw new IllegalStateException(cutOff);
                        }
                    }));
        }
        assertThat(List.of(both.get(0).get().result(), both.get(1).get().result()))
                .containsExactlyInAnyOrder(Result.REQUEUED, Result.REFUSED);
    }

    @DisplayName("X15 an order whose workflow runs is refused, whatever the read model says of it yet")
    @Test
    void oneThatRuns() throws Exception {
        OrderState order = failed("runs", NOT_TAKEN);
        assertThat(new OrderWorkflows(temporal).startAgain(order.requeued(NOT_TAKEN, start)))
                .isTrue();
        Line line = requeue(start.plusSeconds(5)).requeue("alice:runs", "olga: again");
        assertThat(line.result()).isEqualTo(Result.REFUSED);
        assertThat(line.why()).contains("being worked on");
    }

    @DisplayName(
            "X15 what has expired, was answered, did not fail, or is not mended by another try is refused, and says why")
    @Test
    void refusals() {
        failed("expired", NOT_TAKEN);
        assertThat(requeue(start.plusSeconds(120)).judge("alice:expired").why())
                .contains("expired", start.plusSeconds(120).toString());
        recorded(accepted("filled", start).reported(answer(OrderStatus.FILLED)));
        assertThat(refusal("filled")).isEqualTo("It is FILLED, not FAILED.");
        recorded(accepted("pending", start));
        assertThat(refusal("pending")).isEqualTo("It is PENDING, not FAILED.");
        failed("unmended", FailureCode.OUTCOME_UNKNOWN.because("Nobody knows."));
        assertThat(refusal("unmended")).contains("Another try does not mend this", "outcome-unknown");
        assertThat(refusal("nowhere")).isEqualTo("There is no such order.");
        assertThat(requeue(start).judge("no order").why()).isEqualTo("There is no such order.");
    }

    private VenueReport answer(OrderStatus status) {
        return new VenueReport(
                0, null, status, "filled", "v-1", Decimal.of("10"), Decimal.of("100"), null, null, List.of(), start, 1);
    }

    @DisplayName("X15 requeues are paced: 20 a second")
    @Test
    void paced() throws Exception {
        OrderRequeue requeue = requeue(start);
        Instant begin = Instant.now();
        for (int number = 0; number < 11; number++) {
            requeue.requeue("alice:nowhere", "olga: again");
        }
        assertThat(begin.until(Instant.now(), ChronoUnit.MILLIS)).isGreaterThanOrEqualTo(490);
    }
}
