package dev.berth.workflows.worker;

import dev.berth.workflows.TimedAwait;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow may have to do, the most urgent first. The same list chooses the next step and
 * ends the wait for it.
 *
 * @param dueAt when time alone makes a step due; null when only a signal does
 */
record Steps(List<Step> steps, Supplier<@Nullable Instant> dueAt) {
    /** One thing to do, and whether it is due now. */
    record Step(BooleanSupplier isDue, Runnable run) {}

    Optional<Step> next() {
        return steps.stream().filter(step -> step.isDue().getAsBoolean()).findFirst();
    }

    /** Runs the first step that is due; without one, waits until a step may be due. */
    void runNext() {
        next().ifPresentOrElse(step -> step.run().run(), this::awaitNext);
    }

    private void awaitNext() {
        Instant timer = dueAt.get();
        Supplier<Boolean> isDue = () -> next().isPresent() || !Objects.equals(dueAt.get(), timer);
        if (timer != null && timer.isAfter(Lifecycle.now())) {
            TimedAwait.until(Duration.between(Lifecycle.now(), timer), "then the next step is due", isDue);
        } else {
            Workflow.await(isDue);
        }
    }
}
