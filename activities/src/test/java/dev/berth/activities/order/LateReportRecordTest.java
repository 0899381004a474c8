package dev.berth.activities.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.filled;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderVersion;
import dev.berth.workflows.order.Reason;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

class LateReportRecordTest {
    private static final ClientOrderId O_1 = new ClientOrderId("o-1");

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final OrderReadModel model = new OrderReadModel(postgres.client());
    private final StatefulRedisPubSubConnection<String, String> listening =
            redis.client().connectPubSub();
    private final PostgresOrderRecords records = new PostgresOrderRecords(
            postgres.client(), new TransactionTemplate(commitAfterNewsSoFar()), redis.commands());

    @AfterEach
    void stop() {
        listening.close();
    }

    /**
     * Commits only when the listener has had all that was published until then: its connection
     * answers in order.
     */
    private DataSourceTransactionManager commitAfterNewsSoFar() {
        return new DataSourceTransactionManager(postgres.database()) {
            @Override
            protected void prepareForCommit(DefaultTransactionStatus status) {
                listening.sync().ping();
            }
        };
    }

    @Tag("D11")
    @DisplayName("Who hears that an order was put right finds it so: its news are published after the " + "commit")
    @Test
    void newsFollowTheCommit() throws Exception {
        OrderState over = OrderState.accepted(order(ALICE, "o-1", NOON)).reported(filled());
        records.record(ALICE, O_1, List.of(over), List.of(), HistoryPosition.OUTSIDE);
        BlockingQueue<List<OrderState>> readOnNews = new LinkedBlockingQueue<>();
        listening.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                readOnNews.add(model.events(ALICE, O_1, over.revision()));
            }
        });
        listening.sync().zadd("ws:streams:alice", Double.POSITIVE_INFINITY, "listener");
        listening.sync().subscribe("ws:events:listener");

        OrderState corrected = records.recordLateReport(ALICE, O_1, late("12"));
        assertThat(corrected).isNotNull();
        assertThat(readOnNews.poll(5, TimeUnit.SECONDS)).containsExactly(corrected);
        assertThat(model.find(ALICE, O_1)).contains(corrected);
    }

    @Tag("B4")
    @DisplayName("A late report whose answer was lost is answered alike when it is tried again, and " + "corrects once")
    @Test
    void repeatedLateReportCorrectsOnce() {
        records.record(
                ALICE,
                O_1,
                List.of(OrderState.accepted(order(ALICE, "o-1", NOON)).reported(filled())),
                List.of(),
                HistoryPosition.OUTSIDE);

        OrderState corrected = records.recordLateReport(ALICE, O_1, late("12"));
        assertThat(records.recordLateReport(ALICE, O_1, late("12")))
                .isEqualTo(corrected)
                .isNotNull();
        assertThat(model.find(ALICE, O_1)).contains(corrected);
    }

    @Tag("B4")
    @DisplayName("The order's last workflow task, done again, does not undo what a late report has " + "put right")
    @Test
    void lastTaskAgain() {
        List<OrderState> steps =
                List.of(OrderState.accepted(order(ALICE, "o-1", NOON)).reported(filled()));
        records.record(ALICE, O_1, steps, List.of(), new HistoryPosition("run", 20));
        OrderState corrected = records.recordLateReport(ALICE, O_1, late("12"));
        records.record(ALICE, O_1, steps, List.of(), new HistoryPosition("run", 22));
        assertThat(model.find(ALICE, O_1)).contains(Objects.requireNonNull(corrected));
        assertThat(records.recordLateReport(ALICE, O_1, late("12"))).isEqualTo(corrected);
    }

    @Tag("B4")
    @DisplayName(
            "A late fill adds to what was filled unseen: the venue's total counts, not what the " + "ledger has of it")
    @Test
    void lateFillCountsVenuesTotal() {
        over("6");
        OrderState corrected =
                Objects.requireNonNull(records.recordLateReport(ALICE, O_1, report("8", 1, fill("x-9", 0))));
        assertThat(corrected.filledQuantity()).hasToString("8");
        assertThat(corrected.averagePrice()).hasToString("100.01");
        assertThat(corrected.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(corrected.reason()).asString().startsWith("broker: late-fill: ");
        assertThat(records.recordLateReport(ALICE, O_1, report("8", 1, fill("x-9", 0))))
                .isEqualTo(corrected);
        assertThat(model.find(ALICE, O_1)).contains(corrected);
    }

    @Tag("B4")
    @DisplayName("A bust of an unknown execution corrects the order")
    @Test
    void bustOfUnknownExecutionCorrectsOrder() {
        over("6");
        Execution bust = new Execution("x-2", 0, Decimal.of("2"), Decimal.of("100"), NOON, true);
        OrderState corrected = Objects.requireNonNull(records.recordLateReport(ALICE, O_1, report("4", 1, bust)));
        assertThat(corrected.filledQuantity()).hasToString("4");
        assertThat(corrected.reason()).asString().startsWith("broker: bust: ");
        assertThat(records.recordLateReport(ALICE, O_1, report("4", 1, bust))).isEqualTo(corrected);
    }

    @Tag("B4")
    @DisplayName("A late report of a counted execution needs no attention")
    @Test
    void countedExecutionNeedsNoAttention() {
        over("6");
        assertThat(records.recordLateReport(ALICE, O_1, report("2", -1, fill("x-1", 0))))
                .isNull();
        assertThat(records.recordLateReport(ALICE, O_1, report("6", 0, fill("x-3", 0))))
                .isNull();
        assertThat(model.fills(ALICE, O_1)).hasSize(2);
    }

    @Tag("B4")
    @DisplayName("An execution that the venue names in two ways is not booked twice, and calls for a person")
    @Test
    void namedInTwoWays() {
        over("4");
        assertThat(records.recordLateReport(ALICE, O_1, report("4", 0, fill("x-1", 0), fill("x-2", 0))))
                .isNull();
        ExecutionReport otherNames = report("4", 1, fill("other-1", 0), fill("other-2", 0));
        OrderState recorded = Objects.requireNonNull(records.recordLateReport(ALICE, O_1, otherNames));
        assertThat(recorded.reason()).asString().startsWith("broker: executions-differ: ");
        assertThat(OrdersInAttention.since(recorded)).isNotNull();
        assertThat(records.recordLateReport(ALICE, O_1, otherNames)).isEqualTo(recorded);
        assertThat(records.recordLateReport(ALICE, O_1, report("4", 2, fill("other-3", 0))))
                .isNull();
        assertThat(model.fills(ALICE, O_1)).extracting(Execution::executionId).containsExactly("x-1", "x-2");
    }

    @Tag("B4")
    @DisplayName("An execution that the venue reports again with another price is corrected in the ledger")
    @Test
    void executionReportedWithNewPriceIsCorrected() {
        over("2");
        records.recordLateReport(ALICE, O_1, report("2", 0, fill("x-1", 0)));
        Execution corrected = new Execution("x-1", 0, Decimal.of("2"), Decimal.of("99.5"), NOON, false);
        ExecutionReport report = report("2", 1, corrected).withFilled(Decimal.of("2"), Decimal.of("99.5"));
        OrderState recorded = Objects.requireNonNull(records.recordLateReport(ALICE, O_1, report));
        assertThat(recorded.averagePrice()).hasToString("99.5");
        assertThat(recorded.reason()).asString().startsWith("broker: bust: ");
        assertThat(model.fills(ALICE, O_1)).containsExactly(corrected);
    }

    @Tag("B4")
    @DisplayName("Late fills of all versions add up, those of a replacement that was taken for lost too")
    @Test
    void ofAllLegs() {
        over("6");
        records.recordLateReport(
                ALICE,
                O_1,
                OrderSamples.report(2, OrderStatus.FILLED, "3", NOON).withExecutions(List.of(fill("x-7", 2))));
        OrderState corrected =
                Objects.requireNonNull(records.recordLateReport(ALICE, O_1, report("8", 1, fill("x-9", 0))));
        assertThat(corrected.filledQuantity()).hasToString("11");
        assertThat(corrected.versions()).extracting(OrderVersion::number).containsExactly(0, 2);
        assertThat(corrected.terms().quantity()).hasToString("10");
    }

    @Tag("B4")
    @DisplayName(
            "An order that the venue has, though it was taken for lost, is told of once, and " + "waits for a person")
    @Test
    void takenForLost() {
        OrderState lost = OrderState.accepted(order(ALICE, "o-1", NOON))
                .became(OrderStatus.FAILED, FailureCode.NOT_SENT.because("Lost."), NOON);
        records.record(ALICE, O_1, List.of(lost), List.of(), HistoryPosition.OUTSIDE);
        ExecutionReport there = OrderSamples.report(0, OrderStatus.NEW, "0", NOON.plusSeconds(30));
        OrderState corrected = Objects.requireNonNull(records.recordLateReport(ALICE, O_1, there));
        assertThat(corrected.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(corrected.reason()).asString().startsWith("broker: late-arrival: ");
        assertThat(OrdersInAttention.since(corrected)).isNotNull();
        ExecutionReport pending = OrderSamples.report(0, OrderStatus.PENDING_CANCEL, "0", NOON.plusSeconds(31));
        assertThat(records.recordLateReport(ALICE, O_1, pending)).isNull();
    }

    @Tag("X3")
    @DisplayName("An order that was refused, and that the venue filled, is filled, and calls for a person")
    @Test
    void refusedAndFilled() {
        over(refusal(new Reason(Reason.Category.BROKER, "refused-40310000", "Insufficient buying power.")));
        ExecutionReport there = OrderSamples.report(0, OrderStatus.FILLED, "2", NOON.plusSeconds(30));
        OrderState filled = Objects.requireNonNull(
                records.recordLateReport(ALICE, O_1, there.withExecutions(List.of(fill("x-1", 0)))));
        assertThat(filled.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(filled.filledQuantity()).hasToString("2");
        assertThat(OrdersInAttention.since(filled)).isNotNull();
        assertThat(model.fills(ALICE, O_1)).hasSize(1);
        assertThat(model.find(ALICE, O_1)).contains(filled);
    }

    @Tag("X3")
    @DisplayName("What is reported of another's order with the same id changes nothing, and is not booked")
    @Test
    void reportOfAnothersOrderChangesNothing() {
        over(refusal(FailureCode.DUPLICATE_ID.because("The broker has another order with this id.")));
        ExecutionReport there = OrderSamples.report(0, OrderStatus.PARTIALLY_FILLED, "2", NOON.plusSeconds(30));
        assertThat(records.recordLateReport(ALICE, O_1, there)).isNull();
        assertThat(records.recordLateReport(ALICE, O_1, there.withExecutions(List.of(fill("x-1", 0)))))
                .isNull();
        assertThat(model.fills(ALICE, O_1)).isEmpty();
    }

    private static ExecutionReport refusal(Reason why) {
        return OrderSamples.report(0, OrderStatus.REJECTED, "0", NOON)
                .withVenueOrderId(null)
                .withReason(why);
    }

    @Tag("B4")
    @DisplayName("An old report of a canceled order needs no attention")
    @Test
    void oldReportNeedsNoAttention() {
        over("0");
        ExecutionReport old = OrderSamples.report(0, OrderStatus.NEW, "0", NOON.minusSeconds(1));
        assertThat(records.recordLateReport(ALICE, O_1, old)).isNull();
    }

    @Tag("E9")
    @DisplayName("An order that is answered is counted no more, though PostgreSQL is unavailable")
    @Test
    void countedNoMore() throws Exception {
        ActiveOrders active = new ActiveOrders(redis.commands());
        active.add(new ActiveOrders.ActiveOrder(ALICE, O_1), NOON);
        OrderState answered = OrderState.accepted(order(ALICE, "o-1", NOON)).reported(filled());
        PGSimpleDataSource unavailable = new PGSimpleDataSource();
        unavailable.setPortNumbers(new int[] {1});
        PostgresOrderRecords unwritten =
                new PostgresOrderRecords(new JdbcTemplate(unavailable), new TransactionTemplate(), redis.commands());
        assertThatThrownBy(() -> unwritten.record(ALICE, O_1, List.of(answered), List.of(), HistoryPosition.OUTSIDE))
                .isInstanceOf(DataAccessException.class);
        assertThat(active.count()).isZero();
    }

    /** Canceled with so much filled, as a look-up found it: the executions were missed. */
    private void over(String filled) {
        over(report(filled, 0));
    }

    private void over(ExecutionReport end) {
        OrderState order = OrderState.accepted(order(ALICE, "o-1", NOON)).reported(end);
        records.record(ALICE, O_1, List.of(order), List.of(), HistoryPosition.OUTSIDE);
    }

    private static ExecutionReport report(String filled, int secondsLater, Execution... told) {
        return OrderSamples.report(0, OrderStatus.CANCELED, filled, NOON.plusSeconds(secondsLater))
                .withExecutions(List.of(told));
    }

    private static Execution fill(String id, int version) {
        return new Execution(id, version, Decimal.of("2"), Decimal.of("100.01"), NOON, false);
    }

    private static ExecutionReport late(String total) {
        return report(total, 1, fill("x-1", 0));
    }
}
