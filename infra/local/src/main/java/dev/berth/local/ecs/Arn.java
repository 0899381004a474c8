package dev.berth.local.ecs;

/** Makes and shortens Amazon resource names. */
final class Arn {
    static final String REGION = "us-east-1";
    static final String ACCOUNT = "000000000000";
    private static final String PREFIX = "arn:aws:ecs:" + REGION + ":" + ACCOUNT + ":";

    private Arn() {}

    static String cluster(String name) {
        return PREFIX + "cluster/" + name;
    }

    static String task(String taskId) {
        return PREFIX + "task/" + Clusters.BERTH + "/" + taskId;
    }

    static String container(String taskId, String containerId) {
        return PREFIX + "container/" + Clusters.BERTH + "/" + taskId + "/" + containerId;
    }

    static String containerInstance(String hostId) {
        return PREFIX + "container-instance/" + Clusters.BERTH + "/" + hostId;
    }

    static String taskDefinition(String family, int revision) {
        return PREFIX + "task-definition/" + family + ":" + revision;
    }

    /** What follows the last slash; a short id or name stays as it is. */
    static String shortId(String arnOrId) {
        return arnOrId.substring(arnOrId.lastIndexOf('/') + 1);
    }
}
