package dev.berth.workflows.worker;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.PAPER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.WorkflowIds;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Deaths, stops, suspensions and hand-overs at random, also in the middle of calls that fail now
 * and then. A seed that failed is given back by {@code -Dberth.seed=…}; the threads' turns are not.
 */
class LifecycleModelTest {
    private static final int CASES = 12;
    /** On a busy machine there are fewer of them. */
    private static final Duration BEGUN_WITHIN = Duration.ofMinutes(1);

    private static final int EVENTS = 15;
    /** One call in so many fails; what fails is tried again after a while. */
    private static final int FAILS = 6;

    private static final int MOST_BETWEEN_MILLIS = 500;
    private static final Duration STEP = Duration.ofSeconds(5);
    /** Of real time: the in-memory server's clock may fall back to it. */
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(4);

    /** A late event may stop the worker again: the user goes on ordering. */
    private static final int ORDER_EVERY = 6;

    @Test
    @Tag("long")
    @DisplayName("However events fall together, the user has a worker in the end, and no workflow task fails")
    @Timeout(400)
    void servesInTheEnd() {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        System.out.println("LifecycleModelTest: -Dberth.seed=" + seed);
        Random random = new Random(seed);
        Instant last = Instant.now().plus(BEGUN_WITHIN);
        int settled = 0;
        for (int number = 0; number < CASES && Instant.now().isBefore(last); number++) {
            settled += new Case(random, "case " + number + " of seed " + seed).settles() ? 1 : 0;
        }
        assertThat(settled).isPositive();
    }

    /**
     * The in-memory server now and then refuses all that a workflow task did, such as when it
     * cancels an activity that ended meanwhile, and goes on refusing it.
     */
    private static final class RefusedCancels implements ClientInterceptor {
        private static final List<String> REFUSALS =
                List.of("ACTIVITY_UNKNOWN", "invalid history builder state for action");

        private volatile boolean seen;

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> answers, Metadata headers) {
                    super.start(
                            new SimpleForwardingClientCallListener<>(answers) {
                                @Override
                                public void onClose(Status status, Metadata trailers) {
                                    String why = String.valueOf(status.getDescription());
                                    if (REFUSALS.stream().anyMatch(why::startsWith)) {
                                        seen = true;
                                    }
                                    super.onClose(status, trailers);
                                }
                            },
                            headers);
                }
            };
        }
    }

    /** One user's worker. */
    private static final class Case {
        private final Random random;
        private final String name;
        private final RefusedCancels refused = new RefusedCancels();
        private final LifecycleFixture lifecycle = LifecycleFixture.withShortTasks(refused);

        private Case(Random random, String name) {
            this.random = random;
            this.name = name;
        }

        /** False when the in-memory server could not go on. */
        private boolean settles() {
            try (lifecycle) {
                lifecycle.active();
                lifecycle.successors.usual(() -> Optional.of(FakeWorkerTasks.arn(epoch() + 1)));
                lifecycle.heartbeats.reachable.usual(unreliable(() -> true));
                lifecycle.reservable.usual(unreliable(random::nextBoolean));
                lifecycle.sent.usual(unreliable(() -> true));
                lifecycle.process.open.usual(unreliable(() -> true));
                lifecycle.process.close.usual(unreliable(() -> oneIn(4) ? CloseOutcome.BUSY : CloseOutcome.CLOSED));
                lifecycle.tasks.runs.usual(unreliable(() -> true));
                lifecycle.tasks.stopped.usual(unreliable(() -> true));
                for (int event = 0; event < EVENTS; event++) {
                    happen();
                    lifecycle.server.skip(Duration.ofMillis(random.nextInt(MOST_BETWEEN_MILLIS)));
                }
                calm();
                return awaitActive();
            }
        }

        private long epoch() {
            return Math.max(1, lifecycle.heartbeats.epoch.get());
        }

        private boolean oneIn(int chances) {
            return random.nextInt(chances) == 0;
        }

        /** A call in whose middle something may happen, and which may fail. */
        private <T> Supplier<T> unreliable(Supplier<T> answer) {
            return () -> {
                if (oneIn(FAILS)) {
                    happen();
                }
                if (oneIn(FAILS)) {
                    throw new IllegalStateException("unavailable");
                }
                return answer.get();
            };
        }

        private void happen() {
            String task = FakeWorkerTasks.arn(epoch());
            switch (random.nextInt(12)) {
                case 0, 1 -> lifecycle.worker.handOver(task, "its host drains");
                case 2, 3 -> lifecycle.stopped(task, "its host is gone");
                case 4 -> lifecycle.worker.taskStopped(task, "so they say");
                case 5 -> lifecycle.worker.heartbeatExpired();
                case 6 -> lifecycle.worker.stop("logged out");
                case 7 -> lifecycle.worker.suspend("margin call");
                case 8 -> lifecycle.worker.idle(epoch());
                case 9 -> lifecycle.worker.workerFound(epoch() + random.nextInt(2), task);
                case 10 -> lifecycle.worker.reloadCredentials(PAPER);
                default -> order();
            }
        }

        private void order() {
            lifecycle.worker.resume();
            lifecycle.ensure();
        }

        private void calm() {
            lifecycle.heartbeats.reachable.usual(() -> true);
            lifecycle.reservable.usual(() -> true);
            lifecycle.sent.usual(() -> true);
            lifecycle.process.open.usual(() -> true);
            lifecycle.process.close.usual(() -> CloseOutcome.CLOSED);
            lifecycle.tasks.runs.usual(() -> true);
            lifecycle.tasks.stopped.usual(() -> true);
        }

        private boolean awaitActive() {
            Instant last = Instant.now().plus(SETTLED_WITHIN);
            for (int step = 0; !refused.seen && Instant.now().isBefore(last); step++) {
                if (step % ORDER_EVERY == 0) {
                    order();
                }
                lifecycle.server.skip(STEP);
                if (lifecycle.worker.state().phase() == WorkerPhase.ACTIVE) {
                    break;
                }
            }
            if (refused.seen) {
                return false;
            }
            WorkerState state = lifecycle.worker.state();
            assertThat(state.phase()).as("%s: %s", name, state).isEqualTo(WorkerPhase.ACTIVE);
            String id = WorkflowIds.worker(ALICE);
            assertThat(lifecycle.server.history(id))
                    .as(name)
                    .noneMatch(HistoryEvent::hasWorkflowTaskFailedEventAttributes);
            lifecycle.server.replay(id, WorkerLifecycleWorkflowImpl.class);
            return true;
        }
    }
}
