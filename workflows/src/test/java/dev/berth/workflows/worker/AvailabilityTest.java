package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.Samples;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What admission is told of users whose orders cannot be served. */
@Tag("X23")
class AvailabilityTest {
    private static final Map<String, String> REFUSED = Map.of(Samples.PAPER.toString(), "wrong key");

    private static void refuseTheNext(LifecycleFixture lifecycle) {
        lifecycle.process.open.nextFailure(FailureType.CREDENTIALS_REFUSED.failure("wrong key"));
    }

    @Test
    @DisplayName("Refused credentials are published with their reason, and no more once others were accepted")
    void refusedCredentialsArePublished() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            refuseTheNext(lifecycle);
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.FAILED);
            await().until(() -> lifecycle.notices.published.contains(new WorkerAvailability(true, REFUSED)));
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            lifecycle.await(WorkerPhase.ACTIVE);
            await().until(() -> lifecycle.notices.published.getLast().equals(WorkerAvailability.SERVED));
        }
    }

    @Test
    @DisplayName("A second account that is refused is published; the worker's other accounts are served")
    void refusedSecondAccount() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            refuseTheNext(lifecycle);
            lifecycle.worker.ensure(new WorkerNeed(Samples.SECOND, WorkerNeed.Why.ORDER));
            await().until(() -> lifecycle
                    .notices
                    .published
                    .getLast()
                    .equals(new WorkerAvailability(false, Map.of(Samples.SECOND.toString(), "wrong key"))));
        }
    }

    @Test
    @DisplayName("A suspended user's orders wait, and are served again when the user is resumed")
    void ordersOfSuspendedUserWait() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            await().until(() -> lifecycle.notices.published.getLast().equals(new WorkerAvailability(true, Map.of())));
            lifecycle.worker.resume();
            lifecycle.await(WorkerPhase.ACTIVE);
            await().until(() -> lifecycle.notices.published.getLast().equals(WorkerAvailability.SERVED));
        }
    }

    @Test
    @DisplayName("What Redis may have lost is published again when an order asks, once a minute at most")
    void lostNoticeIsPublishedAgain() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            refuseTheNext(lifecycle);
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.FAILED);
            await().until(() -> lifecycle.notices.published.size() == 1);
            lifecycle.ensure();
            lifecycle.server.skip(WorkerPolicies.NOTICE_AGAIN.plusSeconds(1));
            assertThat(lifecycle.notices.published).hasSize(1);
            lifecycle.ensure();
            await().until(() -> lifecycle.notices.published.size() == 2);
        }
    }
}
