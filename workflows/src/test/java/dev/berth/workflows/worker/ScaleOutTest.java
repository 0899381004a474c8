package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A task that waits until the cluster has grown by a host. */
class ScaleOutTest {
    @Test
    @Tag("A4")
    @DisplayName("A task that waits for a new host is waited for, and keeps its epoch")
    void taskWithoutHostIsAwaited() {
        try (LifecycleFixture lifecycle = launched()) {
            lifecycle.tasks.timeLeft.usual(() -> WorkerPolicies.LAUNCH_ANSWER);
            for (int looks = 1; looks <= 3; looks++) {
                int expected = looks;
                lifecycle.server.skip(WorkerPolicies.LAUNCH_ANSWER.plusSeconds(1));
                await().until(() -> lifecycle.tasks.startLooks.get() >= expected);
            }
            assertThat(lifecycle.tasks.stops).isEmpty();
            lifecycle.worker.attached(FakeWorkerControl.process(1));
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(1);
            assertThat(lifecycle.happened).containsExactly("run 1");
        }
    }

    @Test
    @Tag("A4")
    @DisplayName("A task that gets no host in ten minutes is stopped, and another is run")
    void taskWithoutHostIsGivenUp() {
        try (LifecycleFixture lifecycle = launched()) {
            lifecycle.tasks.timeLeft.usual(() -> WorkerPolicies.LAUNCH_ANSWER);
            lifecycle.process.speaks = true;
            for (Duration passed = Duration.ZERO;
                    passed.compareTo(WorkerPolicies.SCALE_OUT) < 0;
                    passed = passed.plusSeconds(30)) {
                lifecycle.server.skip(Duration.ofSeconds(30));
            }
            await().until(() -> lifecycle.tasks.stops.contains(FakeWorkerTasks.arn(1)));
            lifecycle.server.skip(WorkerPolicies.LONGEST_PAUSE);
            assertThat(lifecycle.await(WorkerPhase.ACTIVE).epoch()).isEqualTo(2);
        }
    }

    /** One task runs, and its process says nothing. */
    private static LifecycleFixture launched() {
        LifecycleFixture lifecycle = LifecycleFixture.withoutPool();
        lifecycle.process.speaks = false;
        lifecycle.process.attach.usual(() -> {
            throw FakeWorkerControl.wrongEpoch();
        });
        lifecycle.ensure();
        lifecycle.awaitRunning();
        return lifecycle;
    }
}
