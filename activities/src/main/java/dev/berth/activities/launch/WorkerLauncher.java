package dev.berth.activities.launch;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Starts, stops and describes the tasks of workers. A task is named by its ARN, or by its id in the
 * configured cluster. Every method throws {@link LauncherException} when the launcher is
 * unreachable or refuses the call.
 */
public interface WorkerLauncher {
    /**
     * Starts one task. A request that comes again with its client token gives the same task, also
     * when another part of the request has changed since.
     */
    LaunchOutcome launch(LaunchRequest request);

    /**
     * Asks for the end of a task, and does not wait. A task that is stopped already stays as it is.
     *
     * @param reason up to 255 characters
     * @throws UnknownTaskException when the launcher does not know the task, or takes no such stop
     */
    void stop(String task, String reason);

    /** Empty when the launcher does not know the task: it is new, or stopped an hour ago. */
    Optional<WorkerTask> find(String task);

    /** As many calls as needed; without the tasks that the launcher does not know. */
    List<WorkerTask> describe(Collection<String> tasks);

    /** Ids of all workers' tasks that run or start, without those that are to stop. */
    Set<String> running();

    /** The ARN of the revision that {@link #launch} gives a new worker of this target. */
    String revision(String taskDefinition);
}
