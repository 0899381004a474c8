package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.CancelOrder;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome.NotReplaced;
import dev.berth.workflows.order.ReplaceOutcome.Replaced;
import dev.berth.workflows.order.VenueControl;
import io.temporal.failure.ActivityFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReplaceActivityTest {
    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private final OrderRequest order = belowMarket("o-1");
    private final FakeSession session = new FakeSession();
    private final AtomicBoolean lease = new AtomicBoolean(true);
    private final HangDetector hangDetector = new HangDetector(Duration.ofMinutes(3), _ -> {});
    private OrderActivitiesFactory factory;
    private TestGateway gateway;
    private TestActivityEnvironment activities;
    private VenueControl control;

    @BeforeEach
    void start() throws Exception {
        gateway = new TestGateway(redis);
        factory = OrderActivitiesFactory.of(
                ALICE,
                7,
                TestHost.of(gateway.worker("task-1", ALICE, 7), "task-1"),
                (_, _, _) -> session,
                new OrderActivitiesFactory.Dependencies(lease::get, hangDetector, () -> {}, _ -> {}, _ -> {}));
        factory.sessions().open(ACCOUNT, new BrokerCredentials("alice", "secret"), 1);
        activities = TestActivityEnvironment.newInstance();
        activities.registerActivitiesImplementations(factory.control());
        control = activities.newActivityStub(VenueControl.class, OneAttempt.OPTIONS);
    }

    @AfterEach
    void stop() {
        activities.close();
        hangDetector.close();
        gateway.close();
    }

    private ReplaceOrder to(int next) {
        return new ReplaceOrder(order, next - 1, next, OrderTerms.of(order), Decimal.ZERO);
    }

    @Test
    void returnsVenuesAnswer() {
        assertThat(control.replace(to(1)))
                .isEqualTo(
                        new Replaced(FakeSession.report(0, OrderStatus.NEW), FakeSession.report(1, OrderStatus.NEW)));
        assertThat(session.replaced).containsExactly(1);
    }

    @Tag("X2")
    @DisplayName("Without a lease nothing is replaced")
    @Test
    void fencedWorkerDoesNotReplace() {
        lease.set(false);
        assertThat(control.replace(to(1)))
                .isInstanceOfSatisfying(
                        NotReplaced.class,
                        not -> assertThat(not.reason().toString())
                                .startsWith("broker: not-replaced: ")
                                .contains("may not send"));
        assertThat(session.replaced).isEmpty();
    }

    @Tag("X33")
    @DisplayName("Nothing is replaced for a suspended user; a cancel passes")
    @Test
    void suspendedUserOnlyCancels() {
        redis.hold("alice");
        assertThat(control.replace(to(1)))
                .isInstanceOfSatisfying(
                        NotReplaced.class,
                        not -> assertThat(not.reason().toString()).startsWith("capacity: suspended: "));
        assertThat(session.replaced).isEmpty();
        control.cancel(new CancelOrder(order, 0));
        assertThat(session.lookedUp).as("canceled").hasSize(1);
    }

    @Tag("X3")
    @DisplayName("No answer is a failure")
    @Test
    void failsWithoutAnswer() {
        session.nextFailure = new IOException("reset");
        assertThatThrownBy(() -> control.replace(to(1))).isInstanceOf(ActivityFailure.class);
    }

    @Tag("X3")
    @DisplayName("A replacement whose call fails can be looked up at once, and the next one can start")
    @Test
    void failedCallFreesNumber() {
        session.nextFailure = new IOException("reset");
        assertThatThrownBy(() -> control.replace(to(1))).isInstanceOf(ActivityFailure.class);
        session.nextFailure = null;
        assertThat(control.replace(to(2))).isInstanceOf(Replaced.class);
        assertThat(control.find(new FindOrder(order, 1, 1))).isEqualTo(new FindOutcome.Absent(7));
    }

    @Tag("X3")
    @DisplayName("A replacement that was looked up before it arrived is never written")
    @Test
    void doesNotWriteAfterLookUp() {
        assertThat(control.find(new FindOrder(order, 1, 1))).isEqualTo(new FindOutcome.Absent(7));
        assertThatThrownBy(() -> control.replace(to(1))).isInstanceOf(ActivityFailure.class);
        assertThat(control.replace(to(2))).isInstanceOf(Replaced.class);
        assertThat(session.replaced).containsExactly(2);
    }

    @Test
    void cancelNamesWorkingVersion() {
        control.cancel(new CancelOrder(order, 3));
        assertThat(session.lookedUp).containsExactly(new VenueClientOrderId(order.clientOrderId(), 3));
    }
}
