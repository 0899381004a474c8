package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.market;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.host.WorkerLimits;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.SessionListener;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.order.CancelOrder;
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
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SubmitActivityTest {
    private static final WorkerLimits LIMITS = new WorkerLimits(
            Duration.ofMinutes(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofMinutes(3),
            Duration.ofMinutes(30));

    /** An order's workflow whose submission is repeated. */
    @WorkflowInterface
    public interface Repeating {
        @WorkflowMethod
        void run(OrderRequest order);

        /** By Temporal itself. */
        final class Twice implements Repeating {
            @Override
            public void run(OrderRequest order) {
                ActivityOptions twice = ActivityOptions.newBuilder(OneAttempt.OPTIONS)
                        .setRetryOptions(
                                RetryOptions.newBuilder().setMaximumAttempts(2).build())
                        .build();
                Workflow.newActivityStub(VenueOrders.class, twice)
                        .submit(new SubmitOrder(order, 1, Workflow.getInfo().getRunId()));
            }
        }
    }

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private final FakeSession session = new FakeSession();
    private final AtomicBoolean lease = new AtomicBoolean(true);
    private final AtomicInteger changes = new AtomicInteger();
    private final HangDetector hangDetector = new HangDetector(Duration.ofMinutes(3), _ -> {});
    private SessionListener listener = (_, _) -> {};
    private OrderActivitiesFactory factory;
    private TestGateway gateway;
    private TestActivityEnvironment activities;
    private VenueOrders orders;
    private VenueControl control;

    @BeforeEach
    void start() throws Exception {
        gateway = new TestGateway(redis);
        factory = OrderActivitiesFactory.of(
                ALICE,
                7,
                TestHost.of(gateway.worker("task-1", ALICE, 7), TestHost.NOWHERE, "task-1", 1, LIMITS),
                (_, _, given) -> {
                    listener = given;
                    return session;
                },
                new OrderActivitiesFactory.Dependencies(
                        lease::get, hangDetector, changes::incrementAndGet, _ -> {}, _ -> {}));
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

    private SubmitOutcome submit(OrderRequest order) {
        return orders.submit(new SubmitOrder(order, 1, "first-run"));
    }

    @Test
    void returnsVenuesAnswer() {
        assertThat(submit(market("o-1")))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered -> assertThat(answered.report().status()).isEqualTo(OrderStatus.FILLED));
        assertThat(session.sent).hasSize(1);
    }

    @Tag("X2")
    @DisplayName("Orders of other users are rejected")
    @Test
    void rejectsOrderOfOtherUser() {
        OrderRequest foreign = order(BOB, "o-1", Instant.now());
        for (ThrowingCallable asked : List.<ThrowingCallable>of(
                () -> submit(foreign),
                () -> control.find(new FindOrder(foreign, 0, 1)),
                () -> control.cancel(new CancelOrder(foreign, 0)))) {
            assertThatThrownBy(asked)
                    .cause()
                    .isInstanceOfSatisfying(
                            ApplicationFailure.class,
                            refused -> assertThat(refused.getType()).isEqualTo(FailureType.WRONG_USER.code()));
        }
        assertThat(session.sent).isEmpty();
    }

    @Tag("X1")
    @DisplayName("A submission time in the future does not extend the deadline")
    @Test
    void deadlineIsBoundByServer() {
        Instant scheduled = Instant.parse("2026-03-02T12:00:00Z");
        assertThat(SubmitActivity.deadline(order(ALICE, "o-1", scheduled.minusSeconds(30)), scheduled))
                .isEqualTo(scheduled.plusSeconds(90));
        assertThat(SubmitActivity.deadline(order(ALICE, "o-1", scheduled.plusSeconds(3600)), scheduled))
                .isEqualTo(scheduled.plusSeconds(120));
    }

    @Tag("B4")
    @DisplayName("The result includes executions that the stream reports meanwhile")
    @Test
    void resultIncludesExecutions() {
        OrderRequest order = market("o-1");
        Execution first = FakeSession.execution("e-1", "4");
        Execution second = FakeSession.execution("e-2", "6");
        session.afterSend = () -> {
            report(order, first);
            Thread.ofVirtual().start(() -> report(order, second));
        };
        assertThat(submit(order))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered -> assertThat(answered.report().executions()).containsExactly(first, second));
    }

    @Tag("B4")
    @DisplayName("Executions that the answer itself names are in the result, whatever the stream reports")
    @Test
    void answersOwnExecutionsStay() {
        session.answered = List.of(FakeSession.execution("e-1", "10"));
        assertThat(submit(market("o-1")))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered -> assertThat(answered.report().executions()).isEqualTo(session.answered));
    }

    private void report(OrderRequest order, Execution execution) {
        listener.reported(
                order.clientOrderId(), FakeSession.report(OrderStatus.FILLED).withExecutions(List.of(execution)));
    }

    @Tag("X2")
    @DisplayName("Without a lease nothing is sent")
    @Test
    void fencedWorkerSendsNothing() {
        lease.set(false);
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.FENCED));
        assertThat(session.sent).isEmpty();
    }

    @Tag("X2")
    @DisplayName("The lease is checked after the order is prepared")
    @Test
    void checksLeaseAfterPreparing() {
        session.whilePreparing = () -> lease.set(false);
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.FENCED));
        assertThat(session.sent).isEmpty();
    }

    @Tag("X1")
    @DisplayName("Nothing passes the gate after its deadline")
    @Test
    void declinesAfterDeadline() {
        Instant before = Instant.now().minus(Duration.ofMinutes(2)).minusSeconds(1);
        assertThat(submit(order(ALICE, "o-1", before))).isEqualTo(new Declined(Cause.DEADLINE_PASSED));
        assertThat(submit(order(ALICE, "o-2", before.plusSeconds(30)))).isInstanceOf(Answered.class);
        assertThat(session.sent).hasSize(1);
    }

    @Tag("X3")
    @DisplayName("Not sent is an outcome; no answer is a failure")
    @Test
    void distinguishesNotSentFromUnknown() {
        session.nextFailure = new NotSentException("refused", new IOException());
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.NOT_SENT));
        session.nextFailure = new IOException("reset");
        assertThatThrownBy(() -> submit(market("o-2"))).isInstanceOf(ActivityFailure.class);
    }

    @Tag("B1")
    @Tag("X12")
    @DisplayName("What Temporal repeats by itself, as after a pause of the activity, is not sent again")
    @Test
    void repeatedActivitySendsNothing() {
        AtomicInteger sends = new AtomicInteger();
        session.beforeSend = sends::incrementAndGet;
        session.nextFailure = new IOException("reset");
        try (TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance()) {
            Worker worker = temporal.newWorker("orders");
            worker.registerWorkflowImplementationTypes(Repeating.Twice.class);
            worker.registerActivitiesImplementations(factory.submit());
            temporal.start();
            WorkflowOptions options =
                    WorkflowOptions.newBuilder().setTaskQueue("orders").build();
            Repeating order = temporal.getWorkflowClient().newWorkflowStub(Repeating.class, options);
            assertThatThrownBy(() -> order.run(market("o-1")))
                    .rootCause()
                    .hasMessageContaining("an earlier attempt of this activity may have reached the venue");
        }
        assertThat(sends).hasValue(1);
    }

    @Tag("X3")
    @DisplayName("A later run of the workflow looks the order up before it sends")
    @Test
    void looksUpAfterReset() {
        session.known = FakeSession.report(OrderStatus.NEW);
        assertThat(submit(market("o-1")))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered -> assertThat(answered.report().status()).isEqualTo(OrderStatus.NEW));
        assertThat(session.sent).isEmpty();
    }

    @Tag("X3")
    @DisplayName("An attempt that was looked up before it arrived is never sent")
    @Test
    void doesNotSendAfterLookUp() {
        OrderRequest order = market("o-1");
        assertThat(control.find(new FindOrder(order, 0, 1))).isEqualTo(new FindOutcome.Absent(7));
        assertThat(submit(order)).isEqualTo(new Declined(Cause.FORBIDDEN));
        assertThat(orders.submit(new SubmitOrder(order, 2, "first-run"))).isInstanceOf(Answered.class);
        assertThat(session.sent).hasSize(1);
    }

    @Tag("A7")
    @DisplayName("An order of an account without a session is declined")
    @Test
    void declinesWithoutSession() {
        factory.sessions().close(ACCOUNT);
        assertThat(submit(market("o-1"))).isEqualTo(new Declined(Cause.NO_SESSION));
        assertThat(session.sent).isEmpty();
        assertThat(session.closed).isTrue();
    }

    @Tag("D2")
    @DisplayName("The worker learns when an order starts and ends")
    @Test
    void reportsOrderChanges() {
        session.beforeSend = () ->
                assertThat(factory.attempts().current()).contains(market("o-1").clientOrderId());
        submit(market("o-1"));
        assertThat(changes).hasValue(2);
        assertThat(factory.attempts().current()).isEmpty();
        assertThat(factory.attempts().lastStartedAt()).isPresent();
    }

    @Tag("D1")
    @Tag("X3")
    @DisplayName("A broker that never answers frees the slot after the limit")
    @Test
    void silentBrokerFreesSlot() {
        CountDownLatch never = new CountDownLatch(1);
        session.beforeSend = () -> awaitUninterruptibly(never);
        OrderRequest order = market("o-1");
        Instant began = Instant.now();
        assertThatThrownBy(() -> submit(order)).isInstanceOf(ActivityFailure.class);
        assertThat(Duration.between(began, Instant.now())).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
        assertThat(factory.attempts().current()).contains(order.clientOrderId());
        session.beforeSend = () -> {};
        assertThat(submit(market("o-2"))).isInstanceOf(Answered.class);
        never.countDown();
        Awaitility.await().until(() -> factory.attempts().current().isEmpty());
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
