package dev.berth.activities.order;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.NOON;
import static dev.berth.activities.Samples.filled;
import static dev.berth.activities.Samples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.Samples;
import dev.berth.activities.TestPostgres;
import dev.berth.activities.TestRedis;
import dev.berth.activities.risk.ActiveOrders;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.Leg;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.VenueReport;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateReportRecordTest {
    private static final ClientOrderId O_1 = new ClientOrderId("o-1");

    private TestRedis redis;
    private TestPostgres postgres;
    private OrderReadModel model;
    private PostgresOrderRecords records;
    private StatefulRedisPubSubConnection<String, String> listening;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        postgres = TestPostgres.start(folder.resolve("postgres"));
        model = new OrderReadModel(postgres.client());
        listening = redis.client().connectPubSub();
        records = new PostgresOrderRecords(
                postgres.client(), new TransactionTemplate(commitAfterNewsSoFar()), redis.commands());
    }

    @BeforeEach
    void forget() {
        postgres.client().update("TRUNCATE orders, order_events, fills");
        redis.commands().flushall();
    }

    @AfterAll
    void stop() throws Exception {
        listening.close();
        redis.close();
        postgres.close();
    }

    /** Commits only when the listener has had all that was published until then: its connection answers in order. */
    private DataSourceTransactionManager commitAfterNewsSoFar() {
        return new DataSourceTransactionManager(
                Objects.requireNonNull(postgres.client().getDataSource())) {
            @Override
            protected void prepareForCommit(DefaultTransactionStatus status) {
                listening.sync().ping();
            }
        };
    }

    @DisplayName("D11 who hears that an order was put right finds it so: its news are published after the commit")
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
        listening.sync().subscribe("order-events:alice");

        OrderState corrected = records.bookLate(ALICE, O_1, late("12"));
        assertThat(corrected).isNotNull();
        assertThat(readOnNews.poll(5, TimeUnit.SECONDS)).containsExactly(corrected);
        assertThat(model.find(ALICE, O_1)).contains(corrected);
    }

    @DisplayName("B4 a late report whose answer was lost is answered alike when it is tried again, and corrects once")
    @Test
    void triedAgain() {
        records.record(
                ALICE,
                O_1,
                List.of(OrderState.accepted(order(ALICE, "o-1", NOON)).reported(filled())),
                List.of(),
                HistoryPosition.OUTSIDE);

        OrderState corrected = records.bookLate(ALICE, O_1, late("12"));
        assertThat(records.bookLate(ALICE, O_1, late("12")))
                .isEqualTo(corrected)
                .isNotNull();
        assertThat(model.find(ALICE, O_1)).contains(corrected);
    }

    @DisplayName("B4 the order's last workflow task, done again, does not undo what a late report has put right")
    @Test
    void lastTaskAgain() {
        List<OrderState> steps =
                List.of(OrderState.accepted(order(ALICE, "o-1", NOON)).reported(filled()));
        records.record(ALICE, O_1, steps, List.of(), new HistoryPosition("run", 20));
        OrderState corrected = records.bookLate(ALICE, O_1, late("12"));
        records.record(ALICE, O_1, steps, List.of(), new HistoryPosition("run", 22));
        assertThat(model.find(ALICE, O_1)).contains(Objects.requireNonNull(corrected));
        assertThat(records.bookLate(ALICE, O_1, late("12"))).isEqualTo(corrected);
    }

    @DisplayName(
            "B4 a late fill adds to what was filled unseen: the venue's total counts, not what the ledger has of it")
    @Test
    void filledUnseen() {
        over("6");
        OrderState corrected = Objects.requireNonNull(records.bookLate(ALICE, O_1, report("8", 1, fill("x-9", 0))));
        assertThat(corrected.filledQuantity()).hasToString("8");
        assertThat(corrected.averagePrice()).hasToString("100.01");
        assertThat(corrected.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(corrected.reason()).asString().startsWith("broker: late-fill: ");
        assertThat(records.bookLate(ALICE, O_1, report("8", 1, fill("x-9", 0)))).isEqualTo(corrected);
        assertThat(model.find(ALICE, O_1)).contains(corrected);
    }

    @DisplayName("B4 a bust takes back what the venue says, though nobody saw the execution")
    @Test
    void bustUnseen() {
        over("6");
        Execution bust = new Execution("x-2", 0, Decimal.of("2"), Decimal.of("100"), NOON, true);
        OrderState corrected = Objects.requireNonNull(records.bookLate(ALICE, O_1, report("4", 1, bust)));
        assertThat(corrected.filledQuantity()).hasToString("4");
        assertThat(corrected.reason()).asString().startsWith("broker: bust: ");
        assertThat(records.bookLate(ALICE, O_1, report("4", 1, bust))).isEqualTo(corrected);
    }

    @DisplayName("B4 an execution that is told late, but was counted when the venue was asked, calls for nobody")
    @Test
    void countedAlready() {
        over("6");
        assertThat(records.bookLate(ALICE, O_1, report("2", -1, fill("x-1", 0))))
                .isNull();
        assertThat(records.bookLate(ALICE, O_1, report("6", 0, fill("x-3", 0)))).isNull();
        assertThat(model.fills(ALICE, O_1)).hasSize(2);
    }

    @DisplayName("B4 an execution that the venue names in two ways is not booked twice: its total says that it is one")
    @Test
    void namedInTwoWays() {
        over("4");
        assertThat(records.bookLate(ALICE, O_1, report("4", 0, fill("x-1", 0), fill("x-2", 0))))
                .isNull();
        assertThat(records.bookLate(ALICE, O_1, report("4", 1, fill("other-1", 0), fill("other-2", 0))))
                .isNull();
        assertThat(records.bookLate(ALICE, O_1, report("4", 2, fill("other-3", 0))))
                .isNull();
        assertThat(model.fills(ALICE, O_1)).extracting(Execution::executionId).containsExactly("x-1", "x-2");
    }

    @DisplayName("B4 late fills of all legs add up, those of a replacement that was taken for lost too")
    @Test
    void ofAllLegs() {
        over("6");
        records.bookLate(
                ALICE, O_1, Samples.report(2, OrderStatus.FILLED, "3", NOON).with(List.of(fill("x-7", 2))));
        OrderState corrected = Objects.requireNonNull(records.bookLate(ALICE, O_1, report("8", 1, fill("x-9", 0))));
        assertThat(corrected.filledQuantity()).hasToString("11");
        assertThat(corrected.legs()).extracting(Leg::number).containsExactly(0, 2);
        assertThat(corrected.terms().quantity()).hasToString("10");
    }

    @DisplayName(
            "B4 an order that the venue has, though it was taken for lost, is told of once, and waits for a person")
    @Test
    void takenForLost() {
        OrderState lost = OrderState.accepted(order(ALICE, "o-1", NOON))
                .became(OrderStatus.FAILED, FailureCode.NOT_SENT.because("Lost."), NOON);
        records.record(ALICE, O_1, List.of(lost), List.of(), HistoryPosition.OUTSIDE);
        VenueReport there = Samples.report(0, OrderStatus.NEW, "0", NOON.plusSeconds(30));
        OrderState corrected = Objects.requireNonNull(records.bookLate(ALICE, O_1, there));
        assertThat(corrected.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(corrected.reason()).asString().startsWith("broker: late-arrival: ");
        assertThat(OrdersInAttention.since(corrected)).isNotNull();
        VenueReport pending = Samples.report(0, OrderStatus.PENDING_CANCEL, "0", NOON.plusSeconds(31));
        assertThat(records.bookLate(ALICE, O_1, pending)).isNull();
    }

    @DisplayName("B4 old news of an order that the venue had canceled call for nobody")
    @Test
    void oldNews() {
        over("0");
        VenueReport old = Samples.report(0, OrderStatus.NEW, "0", NOON.minusSeconds(1));
        assertThat(records.bookLate(ALICE, O_1, old)).isNull();
    }

    @DisplayName("E9 an order that is answered is counted no more, though PostgreSQL is away")
    @Test
    void countedNoMore() throws Exception {
        ActiveOrders active = new ActiveOrders(redis.commands());
        active.add(new ActiveOrders.Active(ALICE, O_1), NOON);
        OrderState answered = OrderState.accepted(order(ALICE, "o-1", NOON)).reported(filled());
        PGSimpleDataSource away = new PGSimpleDataSource();
        away.setPortNumbers(new int[] {1});
        PostgresOrderRecords unwritten =
                new PostgresOrderRecords(new JdbcTemplate(away), new TransactionTemplate(), redis.commands());
        assertThatThrownBy(() -> unwritten.record(ALICE, O_1, List.of(answered), List.of(), HistoryPosition.OUTSIDE))
                .isInstanceOf(DataAccessException.class);
        assertThat(active.count()).isZero();
    }

    /** Canceled with so much filled, as a look-up found it: the executions were missed. */
    private void over(String filled) {
        OrderState order = OrderState.accepted(order(ALICE, "o-1", NOON)).reported(report(filled, 0));
        records.record(ALICE, O_1, List.of(order), List.of(), HistoryPosition.OUTSIDE);
    }

    private static VenueReport report(String filled, int secondsLater, Execution... told) {
        return Samples.report(0, OrderStatus.CANCELED, filled, NOON.plusSeconds(secondsLater))
                .with(List.of(told));
    }

    private static Execution fill(String id, int leg) {
        return new Execution(id, leg, Decimal.of("2"), Decimal.of("100.01"), NOON, false);
    }

    private static VenueReport late(String total) {
        return report(total, 1, fill("x-1", 0));
    }
}
