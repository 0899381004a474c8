package dev.berth.activities.order;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static dev.berth.activities.Samples.NOON;
import static dev.berth.activities.Samples.filled;
import static dev.berth.activities.Samples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestRedis;
import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.order.OrderReadModel.Page;
import dev.berth.activities.order.OrderReadModel.Position;
import dev.berth.local.LocalPostgres;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

class OrderReadModelTest {
    private static final ClientOrderId O_1 = new ClientOrderId("o-1");

    private static TestRedis redis;
    private static LocalPostgres server;
    private static JdbcTemplate postgres;
    private static OrderReadModel model;
    private static PostgresOrderRecords records;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        server = LocalPostgres.start(0, folder.resolve("postgres"));
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(server.jdbcUrl());
        Flyway.configure().dataSource(database).load().migrate();
        postgres = new JdbcTemplate(database);
        model = new OrderReadModel(postgres);
        records = new PostgresOrderRecords(postgres, redis.commands());
    }

    @AfterAll
    static void stop() throws Exception {
        redis.close();
        server.close();
    }

    @BeforeEach
    void forget() {
        postgres.update("TRUNCATE orders, order_events");
    }

    private static OrderState pending(String id, Instant submittedAt) {
        return OrderState.accepted(order(ALICE, id, submittedAt)).attempted(submittedAt);
    }

    @DisplayName("D11 every step of an order is kept, in order, and written once however often it is told")
    @Test
    void stepsAreWrittenOnce() {
        OrderState first = pending("o-1", NOON);
        OrderState second = first.reported(filled());
        records.record(List.of(first));
        records.record(List.of(first, second));
        records.record(List.of(first, second));
        assertThat(model.events(ALICE, O_1)).containsExactly(first, second);
        assertThat(model.find(ALICE, O_1)).contains(second);
    }

    @Test
    void aSubmissionFindsTheEarlierOrderOfItsOwnUserAlone() {
        SubmissionRead submissions = new SubmissionRead(postgres, new AccountStore(postgres, true));
        OrderState first = pending("o-1", NOON);
        records.record(List.of(first));
        assertThat(submissions.of(order(ALICE, "o-1", NOON)))
                .isEqualTo(new SubmissionRead.Answer(Optional.of(first), true));
        assertThat(submissions.of(order(ALICE, "o-2", NOON)).earlier()).isEmpty();
        assertThat(submissions.of(order(BOB, "o-1", NOON)).earlier()).isEmpty();
    }

    @Test
    void anOlderStateIsDropped() {
        OrderState first = pending("o-1", NOON);
        OrderState second = first.reported(filled());
        records.record(List.of(first, second));
        records.record(List.of(first));
        assertThat(model.find(ALICE, O_1)).contains(second);
        assertThat(ids(model.list(ALICE, page(OrderStatus.FILLED, 10, null)))).containsExactly("o-1");
    }

    @Test
    void anotherUsersOrdersAreInvisible() {
        records.record(List.of(pending("o-1", NOON)));
        assertThat(model.find(BOB, O_1)).isEmpty();
        assertThat(model.events(BOB, O_1)).isEmpty();
        assertThat(model.list(BOB, page(null, 10, null))).isEmpty();
    }

    @Test
    void theSameIdOfAnotherUserIsAnotherOrder() {
        OrderState bobs = OrderState.accepted(order(BOB, "o-1", NOON));
        records.record(List.of(pending("o-1", NOON).reported(filled())));
        records.record(List.of(bobs));
        assertThat(model.find(BOB, O_1)).contains(bobs);
    }

    @Test
    void pagesNeitherRepeatNorLoseAnOrderWhileOthersAreAdded() {
        for (int i = 0; i < 5; i++) {
            // Two by two at the same moment: the id tells them apart.
            records.record(List.of(pending("o-" + i, NOON.plusSeconds(i / 2))));
        }
        List<String> seen = new ArrayList<>();
        Position after = null;
        for (int page = 0; page < 3; page++) {
            List<OrderState> orders = model.list(ALICE, page(null, 2, after));
            seen.addAll(ids(orders));
            after = new Position(
                    orders.getLast().request().submittedAt(),
                    orders.getLast().request().clientOrderId());
            records.record(List.of(pending("new-" + page, NOON.plusSeconds(100 + page))));
        }
        assertThat(seen).containsExactly("o-4", "o-3", "o-2", "o-1", "o-0");
        assertThat(model.list(ALICE, page(null, 2, after))).isEmpty();
    }

    @Test
    void listsByStatusAndSymbol() {
        records.record(List.of(pending("open", NOON)));
        records.record(List.of(pending("done", NOON).reported(filled())));
        assertThat(ids(model.list(ALICE, page(OrderStatus.PENDING, 10, null)))).containsExactly("open");
        assertThat(model.list(ALICE, new Page(null, "AAPL", 10, null))).hasSize(2);
        assertThat(model.list(ALICE, new Page(null, "MSFT", 10, null))).isEmpty();
    }

    @Test
    void newsArePublished() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        var listening = redis.client().connectPubSub();
        listening.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                heard.add(message);
            }
        });
        listening.sync().subscribe("order-events:alice");
        OrderState order = pending("o-1", NOON);
        records.record(List.of(order));
        assertThat(Json.read(String.valueOf(heard.poll(5, TimeUnit.SECONDS)), OrderState.class))
                .isEqualTo(order);
        listening.close();
    }

    @Test
    void withoutRedisTheOrderIsWrittenAllTheSame() {
        new PostgresOrderRecords(postgres, redis.away()).record(List.of(pending("o-1", NOON)));
        assertThat(model.find(ALICE, O_1)).isPresent();
    }

    private static Page page(@Nullable OrderStatus status, int limit, @Nullable Position after) {
        return new Page(status, null, limit, after);
    }

    private static List<String> ids(List<OrderState> orders) {
        return orders.stream()
                .map(order -> order.request().clientOrderId().value())
                .toList();
    }
}
