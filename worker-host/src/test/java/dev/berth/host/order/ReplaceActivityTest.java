package dev.berth.host.order;

import static dev.berth.host.Samples.ACCOUNT;
import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.resting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.TestHost;
import dev.berth.host.TestRedis;
import dev.berth.host.broker.Credentials;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.CancelOrder;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome.NotReplaced;
import dev.berth.workflows.order.ReplaceOutcome.Replaced;
import dev.berth.workflows.order.Terms;
import dev.berth.workflows.order.VenueControl;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.testing.TestActivityEnvironment;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplaceActivityTest {
    private static final ActivityOptions ONCE = ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(20))
            .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
            .build();

    private final OrderRequest order = resting("o-1");
    private final FakeSession session = new FakeSession();
    private final AtomicBoolean lease = new AtomicBoolean(true);
    private final HangWatch watch = new HangWatch(Duration.ofMinutes(3), _ -> {});
    private OrderDesk desk;
    private TestRedis redis;
    private TestWorkflowEnvironment server;
    private TestActivityEnvironment activities;
    private VenueControl control;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
        server = TestWorkflowEnvironment.newInstance();
        desk = OrderDesk.of(
                ALICE,
                7,
                TestHost.of(redis, server, TestHost.NOWHERE, "task-1", 1),
                (_, _, _) -> session,
                new OrderDesk.Surroundings(lease::get, watch, () -> {}));
        desk.sessions().open(ACCOUNT, new Credentials("alice", "secret"), 1);
        activities = TestActivityEnvironment.newInstance();
        activities.registerActivitiesImplementations(desk.control());
        control = activities.newActivityStub(VenueControl.class, ONCE);
    }

    @AfterEach
    void stop() {
        activities.close();
        watch.close();
        server.close();
        redis.close();
    }

    private ReplaceOrder to(int next) {
        return new ReplaceOrder(order, next - 1, next, Terms.of(order), Decimal.ZERO);
    }

    @Test
    void theVenuesAnswerIsTheOutcome() {
        assertThat(control.replace(to(1)))
                .isEqualTo(
                        new Replaced(FakeSession.report(0, OrderStatus.NEW), FakeSession.report(1, OrderStatus.NEW)));
        assertThat(session.replaced).containsExactly(1);
    }

    @DisplayName("X2 without a lease nothing is replaced, and the order says so")
    @Test
    void fenced() {
        lease.set(false);
        assertThat(control.replace(to(1)))
                .isInstanceOfSatisfying(
                        NotReplaced.class,
                        not -> assertThat(not.reason().toString())
                                .startsWith("broker: not-replaced: ")
                                .contains("may not send"));
        assertThat(session.replaced).isEmpty();
    }

    @DisplayName("X3 no answer is a failure, since nobody knows")
    @Test
    void unknown() {
        session.nextFailure = new IOException("reset");
        assertThatThrownBy(() -> control.replace(to(1))).isInstanceOf(ActivityFailure.class);
    }

    @DisplayName("X3 a replacement that was asked about before it came is never written")
    @Test
    void askedAboutFirst() {
        assertThat(control.find(new FindOrder(order, 1, 1))).isEqualTo(new FindOutcome.Absent(7));
        assertThatThrownBy(() -> control.replace(to(1))).isInstanceOf(ActivityFailure.class);
        assertThat(control.replace(to(2))).isInstanceOf(Replaced.class);
        assertThat(session.replaced).containsExactly(2);
    }

    @Test
    void aCancelNamesTheLegThatWorks() {
        control.cancel(new CancelOrder(order, 3));
        assertThat(session.asked).containsExactly(new VenueClientOrderId(order.clientOrderId(), 3));
    }
}
