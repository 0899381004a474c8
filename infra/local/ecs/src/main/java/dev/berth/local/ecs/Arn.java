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

    static String task(String cluster, String taskId) {
        return PREFIX + "task/" + cluster + "/" + taskId;
    }

    static String container(String cluster, String taskId, String containerId) {
        return PREFIX + "container/" + cluster + "/" + taskId + "/" + containerId;
    }

    static String containerInstance(String cluster, String hostId) {
        return PREFIX + "container-instance/" + cluster + "/" + hostId;
    }

    static String taskDefinition(String family, int revision) {
        return PREFIX + "task-definition/" + family + ":" + revision;
    }

    /** The part after the last slash; a short id or name is returned unchanged. */
    static String shortId(String arnOrId) {
        return arnOrId.substring(arnOrId.lastIndexOf('/') + 1);
    }
}
