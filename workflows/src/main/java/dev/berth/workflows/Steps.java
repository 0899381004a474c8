package dev.berth.workflows;

import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow may have to do, the most urgent first. The same list chooses the next step and
 * ends the wait for it.
 */
public record Steps(List<Step> steps) {
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

    /** One thing to do, and when it is due. */
    public record Step(Due due, Runnable run) {
        /** A step that is due while the condition holds. */
        public static Step when(BooleanSupplier isDue, Runnable run) {
            return new Step(now -> isDue.getAsBoolean() ? now : null, run);
        }

        private boolean isDue(Instant now) {
            Instant at = due.at(now);
            return at != null && !at.isAfter(now);
        }
    }

    /** Runs the first step that is due; without one, waits until a step may be due. */
    public void runNext() {
        next().ifPresentOrElse(step -> step.run().run(), this::awaitNext);
    }

    private Optional<Step> next() {
        Instant now = WorkflowTasks.now();
        return steps.stream().filter(step -> step.isDue(now)).findFirst();
    }

    private void awaitNext() {
        Instant timer = earliest();
        Supplier<Boolean> isDue = () -> next().isPresent() || !Objects.equals(earliest(), timer);
        if (timer == null) {
            Workflow.await(isDue);
        } else {
            TimedAwait.until(Duration.between(WorkflowTasks.now(), timer), "then the next step is due", isDue);
        }
    }

    private @Nullable Instant earliest() {
        Instant now = WorkflowTasks.now();
        return steps.stream()
                .map(step -> step.due().at(now))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }
}
