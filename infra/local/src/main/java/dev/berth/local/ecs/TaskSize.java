package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a task takes of its host.
 *
 * @param cpuUnits reserved; 1,024 are a virtual CPU
 * @param reservedMebibytes the soft limit, what placement counts with
 * @param hardMebibytes over this the process is killed; 0: no limit
 */
record TaskSize(int cpuUnits, int reservedMebibytes, int hardMebibytes) {

    /** The override of one call wins over the container, the container over the task definition. */
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
