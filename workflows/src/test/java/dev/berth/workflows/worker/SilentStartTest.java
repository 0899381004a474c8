package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A process that says that it serves, and falls silent before its session is open. */
class SilentStartTest {
    private final CompletableFuture<Boolean> silence = new CompletableFuture<>();

    @Test
    @DisplayName("A13 X2 one that does not answer either is stopped and replaced: it may have the credentials")
    void replaced() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.ping.nextFrom(() -> silence.join());
            at.fallSilentWhileConnecting(silence);
            WorkerState next = at.await(WorkerPhase.ACTIVE);
            assertThat(next.epoch()).isEqualTo(2);
            assertThat(next.deaths()).isEqualTo(1);
            assertThat(at.happened).containsExactly("run 1", "stop " + FakeWorkerTasks.arn(1), "run 2");
            assertThat(at.process.opened).containsExactly(1L, 1L, 2L);
            silence.complete(true);
        }
    }

    @Test
    @DisplayName("A2 X6 one that answers was silent since Temporal was away, or so: it is asked for the third time")
    void askedAgain() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.fallSilentWhileConnecting(silence);
            isTheSame(at);
        }
    }

    @Test
    @DisplayName("A2 X2 a process of before that declines in its place is no proof that it is dead")
    void declined() {
        try (WorkerFixture at = new WorkerFixture()) {
            at.process.ping.nextFailure(FakeWorkerControl.wrongEpoch());
            at.fallSilentWhileConnecting(silence);
            isTheSame(at);
        }
    }

    private void isTheSame(WorkerFixture at) {
        WorkerState same = at.await(WorkerPhase.ACTIVE);
        assertThat(same.epoch()).isEqualTo(1);
        assertThat(same.deaths()).isZero();
        assertThat(at.process.pings).containsExactly(1L);
        assertThat(at.process.opened).containsExactly(1L, 1L, 1L);
        silence.complete(true);
    }
}
