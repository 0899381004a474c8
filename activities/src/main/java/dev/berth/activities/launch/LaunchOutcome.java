package dev.berth.activities.launch;

/** What became of a launch that was not refused. */
public sealed interface LaunchOutcome {
    /**
     * The task exists.
     *
     * @param revision ARN of its task definition
     */
    record Started(String taskArn, String revision) implements LaunchOutcome {}

    /** No host has room, or there is no host. */
    record NoRoom(String reason) implements LaunchOutcome {}
}
