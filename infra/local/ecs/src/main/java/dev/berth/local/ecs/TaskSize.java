package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The resources of a task.
 *
 * @param cpuUnits reserved; 1,024 are a virtual CPU
 * @param reservedMebibytes the soft limit, which placement uses
 * @param hardMebibytes the process is killed above it; 0: no limit
 */
record TaskSize(int cpuUnits, int reservedMebibytes, int hardMebibytes) {

    /** The override of a call precedes the container, the container the task definition. */
    static TaskSize of(TaskDefinition definition, JsonNode containerOverride, JsonNode taskOverride) {
        JsonNode container = definition.container();
        JsonNode task = definition.registered();
        int hard = first(
                containerOverride.path("memory"),
                container.path("memory"),
                taskOverride.path("memory"),
                task.path("memory"));
        int soft = first(containerOverride.path("memoryReservation"), container.path("memoryReservation"));
        int cpu =
                first(containerOverride.path("cpu"), container.path("cpu"), taskOverride.path("cpu"), task.path("cpu"));
        if (soft > 0 && hard > 0 && soft > hard) {
            throw ApiError.client("memoryReservation must not be greater than memory.");
        }
        return new TaskSize(cpu, soft > 0 ? soft : hard, hard);
    }

    private static int first(JsonNode... candidates) {
        for (JsonNode candidate : candidates) {
            if (candidate.asInt(0) > 0) {
                return candidate.asInt();
            }
        }
        return 0;
    }
}
