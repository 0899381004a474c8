package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that says that it serves, and falls silent before its session is open. */
class SilentStartTest {
    private final CompletableFuture<Boolean> silence = new CompletableFuture<>();

    @Test
    @Tag("A13")
    @Tag("X2")
    @DisplayName("One that does not answer either is stopped and replaced: it may have the credentials")
    void silentProcessIsReplaced() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.ping.nextFrom(() -> silence.join());
            lifecycle.fallSilentWhileConnecting(silence);
            WorkerState next = lifecycle.await(WorkerPhase.ACTIVE);
            assertThat(next.epoch()).isEqualTo(2);
            assertThat(next.deaths()).isEqualTo(1);
            assertThat(lifecycle.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1), "run 2");
            assertThat(lifecycle.process.opened).containsExactly(1L, 1L, 2L);
            silence.complete(true);
        }
    }

    @Test
    @Tag("A2")
    @Tag("X6")
    @DisplayName("One that answers was silent since Temporal was unavailable, or so: it is asked for the third time")
    void answeringProcessIsAskedAgain() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.fallSilentWhileConnecting(silence);
            isTheSame(lifecycle);
        }
    }

    @Test
    @Tag("A2")
    @Tag("X2")
    @DisplayName("A process of before that declines in its place is no proof that it is dead")
    void declineIsNoProofOfDeath() {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.ping.nextFailure(FakeWorkerControl.wrongEpoch());
            lifecycle.fallSilentWhileConnecting(silence);
            isTheSame(lifecycle);
        }
    }

    private void isTheSame(LifecycleFixture lifecycle) {
        WorkerState same = lifecycle.await(WorkerPhase.ACTIVE);
        assertThat(same.epoch()).isEqualTo(1);
        assertThat(same.deaths()).isZero();
        assertThat(lifecycle.process.pings).containsExactly(1L);
        assertThat(lifecycle.process.opened).containsExactly(1L, 1L, 1L);
        silence.complete(true);
    }
}
