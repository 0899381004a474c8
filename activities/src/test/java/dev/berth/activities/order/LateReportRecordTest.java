package dev.berth.activities.order;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.NOON;
import static dev.berth.activities.Samples.filled;
import static dev.berth.activities.Samples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.VenueReport;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

class LateReportRecordTest {
    private static final ClientOrderId O_1 = new ClientOrderId("o-1");

    private TestRedis redis;
    private TestPostgres postgres;
    private OrderReadModel model;
    private PostgresOrderRecords records;
    private StatefulRedisPubSubConnection<String, String> listening;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        postgres = TestPostgres.start(folder.resolve("postgres"));
        model = new OrderReadModel(postgres.client());
        listening = redis.client().connectPubSub();
        records = new PostgresOrderRecords(
                postgres.client(), new TransactionTemplate(commitAfterNewsSoFar()), redis.commands());
    }

    @AfterEach
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

    private static VenueReport late(String quantity) {
        return filled().with(List.of(new Execution("x-1", 0, Decimal.of(quantity), Decimal.of("100"), NOON, false)));
    }
}
