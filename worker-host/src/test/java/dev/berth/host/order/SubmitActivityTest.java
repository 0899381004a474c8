package dev.berth.host.order;

import static dev.berth.host.Samples.ACCOUNT;
import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.market;
import static dev.berth.host.Samples.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestRedis;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.SubmitOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.order.VenueControl;
import dev.berth.workflows.order.VenueOrders;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.testing.TestActivityEnvironment;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmitActivityTest {
    private static final ActivityOptions ONCE = ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(20))
            .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
            .build();

    private final FakeSession session = new FakeSession();
    private final AtomicBoolean lease = new AtomicBoolean(true);
    private OrderDesk desk;
    private TestRedis redis;
    private TestWorkflowEnvironment server;
    private TestActivityEnvironment activities;
    private VenueOrders orders;
    private VenueControl control;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
        server = TestWorkflowEnvironment.newInstance();
        desk = OrderDesk.of(ALICE, 7, server.getWorkflowClient(), redis.client(), lease::get);
        desk.sessions().add(ACCOUNT, session);
        activities = TestActivityEnvironment.newInstance();
        activities.registerActivitiesImplementations(desk.submit(), desk.control());
        orders = activities.newActivityStub(VenueOrders.class, ONCE);
        control = activities.newActivityStub(VenueControl.class, ONCE);
    }

    @AfterEach
    void stop() {
        activities.close();
        server.close();
        redis.close();
    }

    private SubmitOutcome submit(OrderRequest order) {
        return orders.submit(new SubmitOrder(order, 1, "first-run"));
    }

    @Test
    void theVenuesAnswerIsTheOutcome() {
        assertThat(submit(market("o-1")))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered -> assertThat(answered.report().status()).isEqualTo(OrderStatus.FILLED));
        assertThat(session.sent).hasSize(1);
    }

    @DisplayName("X2 without a lease nothing is sent")
    @Test
    void fenced() {
        lease.set(false);
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.FENCED));
        assertThat(session.sent).isEmpty();
    }

    @DisplayName("X2 the lease is looked at last: one that is lost while the order is prepared counts")
    @Test
    void fencedWhilePreparing() {
        session.whilePreparing = () -> lease.set(false);
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.FENCED));
        assertThat(session.sent).isEmpty();
    }

    @DisplayName("X1 nothing passes the gate after its deadline")
    @Test
    void deadlinePassed() {
        Instant before = Instant.now().minus(Duration.ofMinutes(2)).minusSeconds(1);
        assertThat(submit(submitted("o-1", before))).isEqualTo(new Declined(Cause.DEADLINE_PASSED));
        assertThat(submit(submitted("o-2", before.plusSeconds(30)))).isInstanceOf(Answered.class);
        assertThat(session.sent).hasSize(1);
    }

    @DisplayName("X3 surely not sent is an outcome; no answer is a failure, since nobody knows")
    @Test
    void notSentAndUnknownAreToldApart() {
        session.nextFailure = new NotSentException("refused", new IOException());
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.NOT_SENT));
        session.nextFailure = new IOException("reset");
        assertThatThrownBy(() -> submit(market("o-2"))).isInstanceOf(ActivityFailure.class);
    }

    @DisplayName("X3 another run than the first one finds before it sends")
    @Test
    void afterAResetItFindsFirst() {
        session.known = FakeSession.report(OrderStatus.NEW);
        assertThat(submit(market("o-1")))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered -> assertThat(answered.report().status()).isEqualTo(OrderStatus.NEW));
        assertThat(session.sent).isEmpty();
    }

    @DisplayName("X3 an attempt that was asked about before it came is never sent")
    @Test
    void askedAboutFirst() {
        OrderRequest order = market("o-1");
        assertThat(control.find(new FindOrder(order, 1))).isEqualTo(new FindOutcome.Absent(7));
        assertThat(submit(order)).isEqualTo(new Declined(Cause.FORBIDDEN));
        assertThat(orders.submit(new SubmitOrder(order, 2, "first-run"))).isInstanceOf(Answered.class);
        assertThat(session.sent).hasSize(1);
    }

    @DisplayName("An order of an account whose session is not open is declined")
    @Test
    void noSession() {
        desk.sessions().close();
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.NOT_SENT));
        assertThat(session.sent).isEmpty();
    }
}
