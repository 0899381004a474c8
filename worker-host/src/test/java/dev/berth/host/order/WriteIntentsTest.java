package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestPostgres;
import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome.Absent;
import dev.berth.workflows.order.FindOutcome.Found;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders at a broker that would take them a second time, with the gateway's own PostgreSQL. */
@Tag("Y7")
class WriteIntentsTest {
    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final FakeSession session = new FakeSession();
    private final AtomicBoolean lease = new AtomicBoolean(true);
    private final HangDetector hangDetector = new HangDetector(Duration.ofMinutes(3), _ -> {});
    private TestGateway gateway;
    private TestActivityEnvironment activities;
    private VenueOrders orders;
    private VenueControl control;

    @BeforeEach
    void start() throws Exception {
        session.identity = OrderIdentity.FINDABLE;
        gateway = new TestGateway(redis, postgres.as("berth_gateway"));
        OrderActivitiesFactory factory = OrderActivitiesFactory.of(
                ALICE,
                7,
                TestHost.of(gateway.worker("task-1", ALICE, 7), "task-1"),
                (_, _, _) -> session,
                new OrderActivitiesFactory.Dependencies(lease::get, hangDetector, () -> {}, _ -> {}, _ -> {}));
        factory.sessions().open(ACCOUNT, new BrokerCredentials("alice", "secret"), 1);
        activities = TestActivityEnvironment.newInstance();
        activities.registerActivitiesImplementations(factory.submit(), factory.control());
        orders = activities.newActivityStub(VenueOrders.class, OneAttempt.OPTIONS);
        control = activities.newActivityStub(VenueControl.class, OneAttempt.OPTIONS);
    }

    @AfterEach
    void stop() {
        activities.close();
        hangDetector.close();
        gateway.close();
    }

    private static List<String> intents() {
        return postgres.client()
                .queryForList(
                        "SELECT client_order_id || ' ' || version || ' ' || coalesce(venue_order_id, '?')"
                                + " FROM order_intents ORDER BY 1",
                        String.class);
    }

    private SubmitOutcome submit(OrderRequest order) {
        return orders.submit(new SubmitOrder(order, 1, "first-run"));
    }

    private void loseAnswer(OrderRequest order) {
        session.nextFailure = new IOException("the connection ended");
        assertThatThrownBy(() -> submit(order)).isInstanceOf(ActivityFailure.class);
        session.nextFailure = null;
    }

    @Test
    @DisplayName("The intent is stored before the order is written, and the broker's id after it")
    void intentIsStoredBeforeWrite() {
        session.beforeSend = () -> assertThat(intents()).containsExactly("o-1 0 ?");
        assertThat(submit(market("o-1"))).isInstanceOf(Answered.class);
        await().untilAsserted(() -> assertThat(intents()).containsExactly("o-1 0 v-1"));
    }

    @Test
    @DisplayName("An order without an answer may be there though no look-up finds it; one that was not sent is not")
    void absenceIsProvenWithoutIntentAlone() {
        loseAnswer(belowMarket("o-1"));
        assertThat(control.find(new FindOrder(belowMarket("o-1"), 0, 1))).isEqualTo(new Absent(7, true));
        session.nextFailure = new NotSentException("no connection", new IOException());
        OrderRequest other = new OrderRequest(
                ALICE,
                market("o-2").clientOrderId(),
                ACCOUNT,
                "MSFT",
                market("o-2").side(),
                market("o-2").type(),
                Decimal.of("1"),
                null,
                null,
                market("o-2").timeInForce(),
                3,
                Duration.ofMinutes(2),
                market("o-2").submittedAt());
        assertThat(submit(other)).isEqualTo(new Declined(Cause.NOT_SENT));
        await().untilAsserted(() ->
                assertThat(control.find(new FindOrder(other, 0, 1))).isEqualTo(new Absent(7)));
    }

    @Test
    @DisplayName("While an order is in doubt, no other of its account, symbol and side is sent")
    void orderInDoubtHoldsOthers() {
        loseAnswer(belowMarket("o-1"));
        assertThat(submit(belowMarket("o-2"))).isInstanceOfSatisfying(Declined.class, held -> {
            assertThat(held.cause()).isEqualTo(Cause.HELD);
            assertThat(FailureCode.ORDER_IN_DOUBT.isOf(held.reason())).isTrue();
            assertThat(String.valueOf(held.reason())).contains("o-1");
        });
        assertThat(session.sent).isEmpty();
    }

    @Test
    @DisplayName("An objection of the gate leaves no intent")
    void objectionWithdrawsIntent() {
        lease.set(false);
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.FENCED));
        await().untilAsserted(() -> assertThat(intents()).isEmpty());
    }

    @Test
    @DisplayName(
            "An order that the broker refuses leaves no intent, so that refusals never fill up what a user can store")
    void refusalWithdrawsIntent() {
        session.answer = FakeSession.report(OrderStatus.REJECTED).withVenueOrderId(null);
        assertThat(submit(market("o-1"))).isInstanceOf(Answered.class);
        assertThat(intents()).isEmpty();
    }

    @Test
    @DisplayName("Without a place to store the intent nothing is sent")
    void unstoredIntentHoldsOrder() {
        postgres.owner().execute("REVOKE INSERT ON order_intents FROM berth_gateway");
        try {
            assertThat(submit(market("o-1")))
                    .isInstanceOfSatisfying(
                            Declined.class, held -> assertThat(held.cause()).isEqualTo(Cause.HELD));
            assertThat(session.sent).isEmpty();
        } finally {
            postgres.owner().execute("GRANT INSERT ON order_intents TO berth_gateway");
        }
    }

    @Test
    @DisplayName("An order is found under the broker's id that its answer, or a person, named")
    void orderIsFoundUnderVenueOrderId() {
        assertThat(submit(market("o-1"))).isInstanceOf(Answered.class);
        await().untilAsserted(() -> assertThat(intents()).containsExactly("o-1 0 v-1"));
        session.knownToVenue = FakeSession.report(OrderStatus.NEW);
        assertThat(control.find(new FindOrder(market("o-1"), 0, 1))).isInstanceOf(Found.class);
        assertThat(control.find(new FindOrder(market("o-1"), 0, 1, "v-9"))).isInstanceOf(Found.class);
        assertThat(session.venueOrderIds).containsExactly("v-1", "v-9");
    }

    @Test
    @DisplayName("A replacement has an intent of its own")
    void replacementHasIntent() {
        OrderRequest order = belowMarket("o-1");
        control.replace(new ReplaceOrder(order, 0, 1, OrderTerms.of(order), Decimal.ZERO));
        await().untilAsserted(() -> assertThat(intents()).containsExactly("o-1 1 v-1"));
        lease.set(false);
        control.replace(new ReplaceOrder(order, 1, 2, OrderTerms.of(order), Decimal.ZERO));
        await().untilAsserted(() -> assertThat(intents()).containsExactly("o-1 1 v-1"));
    }

    @Test
    @DisplayName("What a run before a reset may have sent is sent again only after a person's word")
    void resetRunDoesNotSendAgain() {
        loseAnswer(belowMarket("o-1"));
        assertThatThrownBy(() -> orders.submit(new SubmitOrder(belowMarket("o-1"), 2, "first-run")))
                .isInstanceOf(ActivityFailure.class);
        assertThat(session.sent).isEmpty();
        assertThat(orders.submit(new SubmitOrder(belowMarket("o-1"), 3, "first-run", true)))
                .isInstanceOf(Answered.class);
        assertThat(session.sent).hasSize(1);
    }

    @Test
    @DisplayName("A broker with unique ids needs no intent")
    void uniqueIdsNeedNoIntent() {
        session.identity = OrderIdentity.UNIQUE;
        loseAnswer(belowMarket("o-1"));
        assertThat(intents()).isEmpty();
        assertThat(control.find(new FindOrder(belowMarket("o-1"), 0, 1))).isEqualTo(new Absent(7));
    }
}
