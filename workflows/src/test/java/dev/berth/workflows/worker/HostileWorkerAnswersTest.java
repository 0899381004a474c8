package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Json;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.untrusted.GeneratedAnswers;
import dev.berth.workflows.untrusted.RawAnswers;
import dev.berth.workflows.untrusted.UntrustedAnswers;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a worker answers to its lifecycle, a stop or a suspension ends it. */
class HostileWorkerAnswersTest {
    private static final long SEED = 35;
    private static final int PARSED = 10_000;
    /** The close, and the proof of the stop. */
    private static final Duration END = WorkerPolicies.CLOSE_SESSION.plusSeconds(30);

    @Test
    @Tag("X31")
    @DisplayName("10,000 generated answers to attach and close are read or refused; no epoch is out of range")
    void generatedAnswersAreReadOrRefused() {
        GeneratedAnswers generated = new GeneratedAnswers(SEED);
        for (int i = 0; i < PARSED; i++) {
            UntrustedAnswers.parse(generated.of(FakeWorkerControl.process(7)), WorkerProcess.class)
                    .ifPresent(process -> assertThat(process.epoch()).isBetween(0L, 1L << 53));
            UntrustedAnswers.parse(generated.of(CloseOutcome.BUSY), CloseOutcome.class);
        }
    }

    @Test
    @Tag("X31")
    @DisplayName("Generated answers through the workflow: each suspension ends the worker, and no workflow task fails")
    @Timeout(600)
    void suspensionsEndTheWorker() {
        suspendOften(10);
    }

    @Test
    @Tag("X31")
    @Tag("long")
    @DisplayName("The same for a hundred suspensions")
    @Timeout(600)
    void hundredSuspensionsEndTheWorker() {
        suspendOften(100);
    }

    /** The in-memory server's clock may fall back to real time: then each takes 5 s. */
    private static void suspendOften(int cycles) {
        GeneratedAnswers generated = new GeneratedAnswers(SEED);
        AtomicInteger answers = new AtomicInteger();
        RawAnswers worker = new RawAnswers(type -> {
            answers.incrementAndGet();
            synchronized (generated) {
                return generated.of(type.equals("attach") ? FakeWorkerControl.process(1) : CloseOutcome.BUSY);
            }
        });
        try (LifecycleFixture lifecycle = LifecycleFixture.withWorker(worker)) {
            for (int cycle = 1; cycle <= cycles; cycle++) {
                lifecycle.active();
                lifecycle.worker.suspend("a person asked, " + cycle);
                lifecycle.awaitEnd(END, WorkerPhase.SUSPENDED);
                assertThat(lifecycle.tasks.stops).hasSize(cycle);
                lifecycle.worker.resume();
            }
            assertThat(answers).hasValueGreaterThan(cycles);
            assertThat(lifecycle.server.history(
                            WorkflowIds.worker(lifecycle.worker.state().userId())))
                    .noneMatch(HistoryEvent::hasWorkflowTaskFailedEventAttributes);
        }
    }

    @Test
    @Tag("X31")
    @Tag("X16")
    @DisplayName("A worker that says busy to its suspension has the time of one close, then it is stopped")
    void busyToASuspension() {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            lifecycle.active();
            lifecycle.process.close.usual(() -> CloseOutcome.BUSY);
            lifecycle.worker.suspend("a person asked");
            await().until(() -> !lifecycle.process.closed.isEmpty());
            lifecycle.awaitEnd(END, WorkerPhase.SUSPENDED);
            assertThat(lifecycle.process.closed).as("asked once").containsExactly(1L);
            assertThat(lifecycle.tasks.stops).containsExactly(FakeWorkerTasks.arn(1));
            assertThat(lifecycle.heartbeats.epoch).hasValue(2);
        }
    }

    @Test
    @Tag("X31")
    @DisplayName("A worker that says busy to its successor for ten minutes is given up")
    void busyToAHandOver() {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            lifecycle.active();
            lifecycle.process.close.usual(() -> CloseOutcome.BUSY);
            lifecycle.worker.handOver(FakeWorkerTasks.arn(1), "its host drains");
            await().until(() -> !lifecycle.process.closed.isEmpty());
            lifecycle.server.skip(HandOverPolicies.LONGEST_REFUSAL.minusSeconds(30));
            assertThat(lifecycle.worker.state().epoch()).isEqualTo(1);
            for (int step = 0; step < 24 && lifecycle.worker.state().epoch() == 1; step++) {
                lifecycle.server.skip(Duration.ofSeconds(5));
            }
            await().until(() -> lifecycle.tasks.stops.contains(FakeWorkerTasks.arn(1)));
            lifecycle.awaitState(state -> state.epoch() > 1 && state.phase() == WorkerPhase.ACTIVE);
        }
    }

    @Test
    @Tag("X31")
    @DisplayName("Signals without their input: a restriction takes effect, every other one is ignored")
    void signalsWithoutInput() {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            WorkerState active = lifecycle.active();
            WorkflowStub untyped = WorkflowStub.fromTyped(lifecycle.worker);
            for (String signal : new String[] {
                "ensure", "fleetSwitched", "reloadCredentials", "attached", "taskStopped", "workerFound", "handOver"
            }) {
                untyped.signal(signal);
            }
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.worker.state().process()).isEqualTo(active.process());
            untyped.signal("suspend");
            assertThat(lifecycle.await(WorkerPhase.SUSPENDED).status().reason()).isEqualTo("none given");
            lifecycle.worker.resume();
            lifecycle.active();
            untyped.signal("stop");
            assertThat(lifecycle.await(WorkerPhase.TERMINATED).status().reason())
                    .isEqualTo("none given");
            assertThat(Json.write(lifecycle.worker.state())).isNotEmpty();
            lifecycle.server.replay(WorkflowIds.worker(active.userId()), WorkerLifecycleWorkflowImpl.class);
        }
    }

    @ParameterizedTest
    @Tag("X31")
    @DisplayName("A suspension whose reason is no text, or too long a one, takes effect")
    @MethodSource
    void unreadableReasonStillSuspends(Object reason, String shown) {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            lifecycle.active();
            WorkflowStub.fromTyped(lifecycle.worker).signal("suspend", reason);
            assertThat(lifecycle.await(WorkerPhase.SUSPENDED).status().reason()).isEqualTo(shown);
        }
    }

    static Stream<Arguments> unreadableReasonStillSuspends() {
        return Stream.of(
                Arguments.of(Map.of("reason", "margin call"), "none given"),
                Arguments.of(List.of(), "none given"),
                Arguments.of(7, "none given"),
                Arguments.of("margin\0call", "margin\uFFFDcall"),
                Arguments.of("m".repeat(5_000), "m".repeat(1_000)));
    }

    @ParameterizedTest
    @Tag("X31")
    @DisplayName("A worker that is reported with an epoch that none can have changes nothing")
    @ValueSource(longs = {0, WorkerPolicies.MAX_EPOCH + 1, (1L << 53) - 1})
    void impossibleEpochChangesNothing(long epoch) {
        try (LifecycleFixture lifecycle = LifecycleFixture.withoutPool()) {
            lifecycle.active();
            lifecycle.worker.workerFound(epoch, FakeWorkerTasks.arn(7));
            lifecycle.ensureAndAwaitLook();
            assertThat(lifecycle.tasks.stops).isEmpty();
            assertThat(lifecycle.worker.state().raised()).isEqualTo(1);
        }
    }
}
