package dev.berth.workflows;

import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow may have to do, the most urgent first. The same list chooses the next step and
 * ends the wait for it.
 */
public record Steps(List<Step> steps) {
    /**
     * A workflow that has more of them in one workflow task never waits again: it would hold its
     * thread for ever, and so keep the other workflows of the process from theirs.
     */
    private static final int MOST_IN_ONE_TASK = 10_000;

    /** The summary of a timer that no step names. */
    public static final String NEXT = "then the next step is due";

    /** When a step is due, by the workflow's state alone. */
    @FunctionalInterface
    public interface Due {
        /**
         * The time at which the step is due; due already when that is not after {@code now}. Null:
         * no time makes it due, only a change of the state.
         */
        @Nullable
        Instant at(Instant now);
    }

    /**
     * One thing to do, and when it is due.
     *
     * @param summary what an operator reads beside the timer until then in the Web UI
     */
    public record Step(Due due, Supplier<String> summary, Runnable run) {
        public Step(Due due, Runnable run) {
            this(due, () -> NEXT, run);
        }

        /** A step that is due while the condition holds. */
        public static Step when(BooleanSupplier isDue, Runnable run) {
            return new Step(now -> isDue.getAsBoolean() ? now : null, run);
        }

        private boolean isDue(Instant now) {
            Instant at = due.at(now);
            return at != null && !at.isAfter(now);
        }

        private Stream<Timer> timer(Instant now) {
            Instant at = due.at(now);
            return at == null ? Stream.empty() : Stream.of(new Timer(at, summary.get()));
        }
    }

    /**
     * Runs the first step that is due; without one, waits until a step may be due; and so on for as
     * long as the condition holds.
     *
     * @throws IllegalStateException when no wait is left between the steps: it fails the workflow
     *     task, which is tried again after a while
     */
    public void runWhile(BooleanSupplier goesOn) {
        int task = WorkflowTasks.current();
        for (int run = 1; goesOn.getAsBoolean(); run++) {
            if (WorkflowTasks.isRecorded(task)) {
                task = WorkflowTasks.current();
                run = 1;
            }
            if (run > MOST_IN_ONE_TASK) {
                throw new IllegalStateException(
                        "after " + MOST_IN_ONE_TASK + " steps in one workflow task there is no wait for the next one");
            }
            next().ifPresentOrElse(step -> step.run().run(), this::awaitNext);
        }
    }

    private Optional<Step> next() {
        Instant now = WorkflowTasks.now();
        return steps.stream().filter(step -> step.isDue(now)).findFirst();
    }

    private void awaitNext() {
        Optional<Timer> timer = earliest();
        Supplier<Boolean> isDue = () -> next().isPresent() || !earliest().equals(timer);
        timer.ifPresentOrElse(
                until -> TimedAwait.until(Duration.between(WorkflowTasks.now(), until.at()), until.summary(), isDue),
                () -> Workflow.await(isDue));
    }

    private Optional<Timer> earliest() {
        Instant now = WorkflowTasks.now();
        return steps.stream().flatMap(step -> step.timer(now)).min(Comparator.comparing(Timer::at));
    }

    private record Timer(Instant at, String summary) {}
}
