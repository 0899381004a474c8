package dev.berth.activities.ecs;

import dev.berth.activities.worker.LauncherWorkerTasks;
import dev.berth.workflows.worker.TaskDeath;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.ecs.model.Task;
import software.amazon.awssdk.services.ecs.model.TaskStopCode;

/**
 * Which states of ECS prove to {@link LauncherWorkerTasks#stop} that a worker's process has ended.
 * {@code STOPPED} alone does not: after a forced deregistration of their container instance "these
 * tasks remain running until you terminate the instance or the tasks stop through some other means,
 * but they're orphaned", as the reference of {@code DeregisterContainerInstance} says of its {@code
 * force}; see also amazon-ecs-agent issue 125.
 */
final class StopProof {
    /**
     * The reason as the developer guide ("Stopped tasks error codes") gives it, with an instance
     * id. A <i>stopped</i> instance proves nothing: a hibernated instance resumes its processes.
     */
    private static final Pattern HOST_TERMINATED =
            Pattern.compile("Host EC2 \\(instance i-[0-9a-f]+\\) terminated\\b.*", Pattern.DOTALL);

    private StopProof() {}

    static TaskDeath of(Task task) {
        if (!"STOPPED".equals(task.lastStatus())) {
            return TaskDeath.ALIVE;
        }
        return hasExitCode(task) || isHostTerminated(task) || neverStarted(task)
                ? TaskDeath.PROVEN
                : TaskDeath.UNCONFIRMED;
    }

    /** Only the agent of the host knows the exit code. */
    private static boolean hasExitCode(Task task) {
        return task.containers().stream()
                .anyMatch(container ->
                        RunTaskRequests.CONTAINER.equals(container.name()) && container.exitCode() != null);
    }

    /** The caller of a requested stop chooses the reason, not ECS. */
    private static boolean isHostTerminated(Task task) {
        return task.stopCode() != TaskStopCode.USER_INITIATED
                && task.stoppedReason() != null
                && HOST_TERMINATED.matcher(task.stoppedReason()).matches();
    }

    /**
     * No container ran, so no process can send: ECS reports that the task failed to start, or the
     * agent reports the end of the execution. The agent ({@code RecordExecutionStoppedAt}) sets
     * that time when the essential container is stopped, or was never created. Without that report
     * an agent that has not received the stop may still start a task that was stopped while
     * pending.
     */
    private static boolean neverStarted(Task task) {
        return task.startedAt() == null
                && (task.stopCode() == TaskStopCode.TASK_FAILED_TO_START || task.executionStoppedAt() != null);
    }
}
