package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.host.broker.VenueIdConformanceBroker;
import dev.berth.host.broker.venueid.GatewayOrderClaims;
import dev.berth.host.gateway.GatewayConnection;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.FindOutcome.Absent;
import dev.berth.workflows.order.FindOutcome.Found;
import dev.berth.workflows.order.SubmitOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.order.VenueControl;
import dev.berth.workflows.order.VenueOrders;
import io.temporal.failure.ActivityFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A worker that was lost with the answer of a broker that knows ids of its own alone, and the
 * worker after it, with the gateway's own PostgreSQL.
 */
@Tag("Y7")
class UnnamedOrderTest {
    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final HangDetector hangDetector = new HangDetector(Duration.ofMinutes(3), _ -> {});
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        gateway = new TestGateway(redis, postgres.as("berth_gateway"));
    }

    @AfterEach
    void stop() {
        hangDetector.close();
        gateway.close();
    }

    /** What one worker does with orders. */
    private record OneWorker(
            Sessions sessions, TestActivityEnvironment activities, VenueOrders orders, VenueControl control)
            implements AutoCloseable {
        private SubmitOutcome submit(String id) {
            return orders.submit(new SubmitOrder(belowMarket(id), 1, "first-run"));
        }

        private FindOutcome find(String id) {
            return control.find(new FindOrder(belowMarket(id), 0, 1));
        }

        @Override
        public void close() {
            activities.close();
            sessions.close();
        }
    }

    private OneWorker worker(VenueIdConformanceBroker broker, long epoch) throws IOException, InterruptedException {
        String task = "task-" + epoch;
        GatewayConnection connection = gateway.worker(task, ALICE, epoch);
        OrderActivitiesFactory factory = OrderActivitiesFactory.of(
                ALICE,
                epoch,
                TestHost.of(connection, task),
                broker.connector(epoch, new GatewayOrderClaims(connection.client(), ACCOUNT)),
                new OrderActivitiesFactory.Dependencies(() -> true, hangDetector, () -> {}, _ -> {}, _ -> {}));
        factory.sessions().open(ACCOUNT, broker.credentials(), 1);
        TestActivityEnvironment activities = TestActivityEnvironment.newInstance();
        activities.registerActivitiesImplementations(factory.submit(), factory.control());
        return new OneWorker(
                factory.sessions(),
                activities,
                activities.newActivityStub(VenueOrders.class, OneAttempt.OPTIONS),
                activities.newActivityStub(VenueControl.class, OneAttempt.OPTIONS));
    }

    private void loseAnswer(VenueIdConformanceBroker broker) throws IOException, InterruptedException {
        try (OneWorker lost = worker(broker, 7)) {
            broker.loseNextAnswer();
            assertThatThrownBy(() -> lost.submit("o-1")).isInstanceOf(ActivityFailure.class);
        }
    }

    private static List<String> intents() {
        return postgres.client()
                .queryForList(
                        "SELECT client_order_id || ' ' || coalesce(venue_order_id, '?') FROM order_intents ORDER BY 1",
                        String.class);
    }

    @Test
    @DisplayName("In an exclusive account the next worker finds the only order that it can be, which is claimed then")
    void orderIsFoundInExclusiveAccount() throws Exception {
        try (VenueIdConformanceBroker broker = new VenueIdConformanceBroker(OrderIdentity.NONE, true)) {
            loseAnswer(broker);
            assertThat(intents()).containsExactly("o-1 ?");
            try (OneWorker next = worker(broker, 8)) {
                assertThat(next.find("o-1")).isInstanceOf(Found.class);
                assertThat(intents()).containsExactly("o-1 v-1");
                assertThat(next.submit("o-2")).isInstanceOf(Answered.class);
            }
            assertThat(broker.accepted()).containsExactly("o-1", "o-2");
        }
    }

    @Test
    @DisplayName("A broker that gives back tags finds it in any account")
    void orderIsFoundByTag() throws Exception {
        try (VenueIdConformanceBroker broker = new VenueIdConformanceBroker(OrderIdentity.TAG, false)) {
            loseAnswer(broker);
            try (OneWorker next = worker(broker, 8)) {
                assertThat(next.find("o-1")).isInstanceOf(Found.class);
            }
        }
    }

    @Test
    @DisplayName("In a shared account it holds others until a person names the broker's id")
    void personNamesOrderOfSharedAccount() throws Exception {
        try (VenueIdConformanceBroker broker = new VenueIdConformanceBroker(OrderIdentity.NONE, false)) {
            loseAnswer(broker);
            try (OneWorker next = worker(broker, 8)) {
                assertThat(next.find("o-1")).isEqualTo(new Absent(8, true));
                assertThat(next.submit("o-2"))
                        .isInstanceOfSatisfying(
                                Declined.class, held -> assertThat(held.cause()).isEqualTo(Cause.HELD));
                assertThat(next.control().find(new FindOrder(belowMarket("o-1"), 0, 1, "v-1")))
                        .isInstanceOf(Found.class);
                assertThat(next.submit("o-2")).isInstanceOf(Answered.class);
            }
            assertThat(broker.accepted()).containsExactly("o-1", "o-2");
        }
    }

    @Test
    @DisplayName("An order that never reached the broker is absent without proof, and nothing else is taken for it")
    void foreignOrderIsNotTaken() throws Exception {
        try (VenueIdConformanceBroker broker = new VenueIdConformanceBroker(OrderIdentity.NONE, true);
                OneWorker worker = worker(broker, 7)) {
            broker.tradeForeignOrder();
            postgres.client().update("""
                    INSERT INTO order_intents (user_id, client_order_id, version, account, symbol, side, quantity,
                      limit_price, epoch, intended_at)
                    VALUES ('alice', 'o-1', 0, ?, 'AAPL', 'BUY', 10, 1, 7, now())
                    """, ACCOUNT.toString());
            assertThat(worker.find("o-1")).isEqualTo(new Absent(7, true));
        }
    }
}
