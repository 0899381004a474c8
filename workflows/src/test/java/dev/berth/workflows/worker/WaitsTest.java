package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every wait ends at once when what it waits for does not matter any more. The clock of the server
 * stands still.
 */
class WaitsTest {
    private static final String FIRST = FakeWorkerTasks.arn(1);

    /** A wait, and how the lifecycle comes to it. */
    enum Wait {
        FOR_A_CLAIM(lifecycle -> {
            lifecycle.idle.next(true);
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            lifecycle.await(WorkerPhase.CLAIMED);
        }),
        FOR_ROOM(lifecycle -> {
            lifecycle.tasks.runs.nextFailures(1_000, FailureType.NO_ROOM.failure("RESOURCE:MEMORY"));
            lifecycle.ensure();
            await().until(() -> !lifecycle.tasks.launches.isEmpty());
        }),
        FOR_A_LAUNCHED_PROCESS(lifecycle -> {
            lifecycle.process.nobodyHas.add(1L);
            lifecycle.ensure();
            lifecycle.awaitRunning();
        }),
        BETWEEN_ATTEMPTS_TO_CONNECT(lifecycle -> {
            lifecycle.process.open.nextFailures(3, new IllegalStateException("the broker is unavailable"));
            lifecycle.ensure();
            lifecycle.awaitState(now -> now.status() instanceof WorkerStatus.Connecting at && at.attempt() >= 2);
        }),
        FOR_THE_RIGHT_PROCESS(lifecycle -> {
            lifecycle.process.open.nextFailures(11, FakeWorkerControl.wrongEpoch());
            lifecycle.ensure();
            await().until(() -> failedCalls(lifecycle) >= 5);
        }),
        AFTER_A_FAILED_LAUNCH(lifecycle -> {
            lifecycle.tasks.runs.nextFailures(50, FailureType.LAUNCH_CIRCUIT_OPEN.failure("open"));
            lifecycle.ensure();
            lifecycle.awaitState(now -> now.status() instanceof WorkerStatus.BackingOff);
        }),
        FOR_A_RELOAD(lifecycle -> {
            lifecycle.active();
            lifecycle.process.open.nextFailure(new IllegalStateException("the broker is unavailable"));
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> failedCalls(lifecycle) == 1);
        });

        // The lambdas above hold no state.
        @SuppressWarnings("ImmutableEnumChecker")
        private final Consumer<LifecycleFixture> begin;

        Wait(Consumer<LifecycleFixture> begin) {
            this.begin = begin;
        }

        /** The in-memory server refuses to cancel an activity that ends at the same moment. */
        private static long failedCalls(LifecycleFixture lifecycle) {
            return lifecycle.server.history(WorkflowIds.worker(Samples.ALICE)).stream()
                    .filter(HistoryEvent::hasActivityTaskFailedEventAttributes)
                    .count();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B3")
    @DisplayName("A stop cuts every wait short")
    void stopCutsWaitShort(Wait wait) {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            wait.begin.accept(lifecycle);
            lifecycle.worker.stop("logged out");
            lifecycle.await(WorkerPhase.TERMINATED);
            assertThat(lifecycle.server.now()).isBefore(InMemoryServer.OPEN.plus(Duration.ofMinutes(1)));
            assertThat(lifecycle.tasks.stops).hasSizeLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("A9")
    @DisplayName("A suspension cuts every wait short")
    void suspensionCutsWaitShort(Wait wait) {
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            wait.begin.accept(lifecycle);
            lifecycle.worker.suspend("margin call");
            lifecycle.await(WorkerPhase.SUSPENDED);
            assertThat(lifecycle.server.now()).isBefore(InMemoryServer.OPEN.plus(Duration.ofMinutes(1)));
        }
    }

    @Test
    @Tag("A13")
    @DisplayName("A process that dies while it closes is not waited for")
    void deathCutsCloseShort() {
        CompletableFuture<CloseOutcome> closing = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.active();
            lifecycle.process.close.nextFrom(closing);
            lifecycle.worker.stop("logged out");
            await().until(() -> lifecycle.process.closed.size() == 1);
            lifecycle.stopped(FIRST, "killed");
            lifecycle.await(WorkerPhase.TERMINATED);
            closing.complete(CloseOutcome.CLOSED);
        }
    }

    @Test
    @Tag("A8")
    @DisplayName("New credentials end the pause between two attempts to connect")
    void newCredentialsEndPause() {
        CompletableFuture<Boolean> second = new CompletableFuture<>();
        try (LifecycleFixture lifecycle = new LifecycleFixture()) {
            lifecycle.process.open.nextFailure(new IllegalStateException("the broker is unavailable"));
            lifecycle.process.open.nextFrom(second);
            lifecycle.ensure();
            lifecycle.awaitState(now -> now.status() instanceof WorkerStatus.Connecting at && at.attempt() == 2);
            lifecycle.worker.reloadCredentials(Samples.PAPER);
            await().until(() -> lifecycle.process.opened.size() == 2);
            second.complete(true);
            lifecycle.await(WorkerPhase.ACTIVE);
        }
    }
}
