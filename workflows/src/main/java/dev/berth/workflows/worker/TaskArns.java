package dev.berth.workflows.worker;

/** ARNs of ECS tasks. */
public final class TaskArns {
    private TaskArns() {}

    /** The task id: what follows the last slash of an ARN, or all of an id. */
    public static String id(String taskArn) {
        return taskArn.substring(taskArn.lastIndexOf('/') + 1);
    }
}
