package dev.berth.activities.launch;

/** What became of a launch. */
public sealed interface LaunchOutcome {
    /**
     * The task exists.
     *
     * @param revision ARN of its task definition
     */
    record Started(String taskArn, String revision) implements LaunchOutcome {}

    /** No host has room, or there is no host. */
    record NoRoom(String reason) implements LaunchOutcome {}

    /** The launcher does not start this task for another reason than room. */
    record Refused(String reason) implements LaunchOutcome {}
}
