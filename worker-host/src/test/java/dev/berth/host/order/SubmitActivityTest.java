package dev.berth.host.order;

import static dev.berth.host.Samples.ACCOUNT;
import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.market;
import static dev.berth.host.Samples.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestHost;
import dev.berth.host.TestRedis;
import dev.berth.host.WorkerLimits;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.Credentials;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.Execution;
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
import dev.berth.workflows.order.VenueReport;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.testing.TestActivityEnvironment;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
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

    private static final WorkerLimits LIMITS = new WorkerLimits(
            Duration.ofMinutes(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofMinutes(3),
            Duration.ofMinutes(30));

    private final FakeSession session = new FakeSession();
    private final AtomicBoolean lease = new AtomicBoolean(true);
    private final AtomicInteger changes = new AtomicInteger();
    private final HangWatch watch = new HangWatch(Duration.ofMinutes(3), _ -> {});
    private BiConsumer<ClientOrderId, VenueReport> news = (_, _) -> {};
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
        desk = OrderDesk.of(
                ALICE,
                7,
                TestHost.of(redis, server, TestHost.NOWHERE, "task-1", 1, LIMITS),
                (_, _, told) -> {
                    news = told;
                    return session;
                },
                new OrderDesk.Surroundings(lease::get, watch, changes::incrementAndGet));
        desk.sessions().open(ACCOUNT, new Credentials("alice", "secret"), 1);
        activities = TestActivityEnvironment.newInstance();
        activities.registerActivitiesImplementations(desk.submit(), desk.control());
        orders = activities.newActivityStub(VenueOrders.class, ONCE);
        control = activities.newActivityStub(VenueControl.class, ONCE);
    }

    @AfterEach
    void stop() {
        activities.close();
        watch.close();
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

    @DisplayName("B4 executions that are told while the order is in hand, or right after its answer, go along with it")
    @Test
    void executionsGoAlong() {
        OrderRequest order = market("o-1");
        Execution first = FakeSession.execution("e-1", "4");
        Execution second = FakeSession.execution("e-2", "6");
        session.afterSend = () -> {
            tell(order, first);
            Thread.ofVirtual().start(() -> tell(order, second));
        };
        assertThat(submit(order))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered -> assertThat(answered.report().executions()).containsExactly(first, second));
    }

    private void tell(OrderRequest order, Execution execution) {
        news.accept(
                order.clientOrderId(), FakeSession.report(OrderStatus.FILLED).with(List.of(execution)));
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
        assertThat(control.find(new FindOrder(order, 0, 1))).isEqualTo(new FindOutcome.Absent(7));
        assertThat(submit(order)).isEqualTo(new Declined(Cause.FORBIDDEN));
        assertThat(orders.submit(new SubmitOrder(order, 2, "first-run"))).isInstanceOf(Answered.class);
        assertThat(session.sent).hasSize(1);
    }

    @DisplayName("A7 an order of an account whose session was never opened is declined")
    @Test
    void noSession() {
        desk.sessions().drop(ACCOUNT);
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.NO_SESSION));
        assertThat(session.sent).isEmpty();
        assertThat(session.closed).isTrue();
    }

    @DisplayName("D2 the worker hears when an order is taken and when it is over")
    @Test
    void tellsOfChanges() {
        session.beforeSend = () ->
                assertThat(desk.attempts().current()).contains(market("o-1").clientOrderId());
        submit(market("o-1"));
        assertThat(changes).hasValue(2);
        assertThat(desk.attempts().current()).isEmpty();
        assertThat(desk.attempts().lastTakenAt()).isPresent();
    }

    @DisplayName("D1 a broker that never answers, and ignores every interrupt, holds the slot no longer than the limit;"
            + " its attempt stays in hand (X3)")
    @Test
    void aBrokerThatNeverAnswers() {
        CountDownLatch never = new CountDownLatch(1);
        session.beforeSend = () -> awaitUninterruptibly(never);
        OrderRequest order = market("o-1");
        Instant began = Instant.now();
        assertThatThrownBy(() -> submit(order)).isInstanceOf(ActivityFailure.class);
        assertThat(Duration.between(began, Instant.now())).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
        assertThat(desk.attempts().current()).contains(order.clientOrderId());
        session.beforeSend = () -> {};
        assertThat(submit(market("o-2"))).isInstanceOf(Answered.class);
        never.countDown();
        Awaitility.await().until(() -> desk.attempts().current().isEmpty());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // As a broker's library may.
            }
        }
    }
}
