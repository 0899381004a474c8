package dev.berth.workflows;

import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Waits inside workflows that leave nothing behind: the SDK's own leave their timer running when
 * the wait is cut short. Only a wait that begins and ends in one workflow task leaves its timer.
 */
public final class TimedAwait {
    private TimedAwait() {}

    /**
     * Waits until the condition holds, but no longer than {@code atMost}.
     *
     * @param summary what an operator reads beside the timer in the Web UI
     * @return false when the time was up first
     */
    public static boolean until(Duration atMost, String summary, Supplier<Boolean> condition) {
        if (condition.get()) {
            return true;
        }
        int begunIn = WorkflowTasks.current();
        List<Promise<Void>> timer = new ArrayList<>(1);
        TimerOptions options = TimerOptions.newBuilder().setSummary(summary).build();
        CancellationScope timing = Workflow.newCancellationScope(() -> timer.add(Workflow.newTimer(atMost, options)));
        timing.run();
        Workflow.await(() -> timer.getFirst().isCompleted() || condition.get());
        boolean inTime = !timer.getFirst().isCompleted();
        if (inTime && WorkflowTasks.isRecorded(begunIn)) {
            timing.cancel();
        }
        return inTime;
    }
}
