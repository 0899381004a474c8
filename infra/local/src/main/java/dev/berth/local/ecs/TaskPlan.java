package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was decided when a task was accepted; never changes.
 *
 * @param id 32 hexadecimal digits
 * @param containerName the only container of the definition
 * @param argv the program and its arguments
 * @param environment of the definition and the overrides, without what local ECS adds
 * @param workingDirectory empty: that of local ECS
 * @param stopTimeoutSeconds between SIGTERM and SIGKILL
 * @param overrides as the caller sent them
 * @param request what the call asked for; remembered for as long as its token is
 */
record TaskPlan(
        String id,
        String hostId,
        String taskDefinitionArn,
        String family,
        int revision,
        String containerName,
        String image,
        TaskSize size,
        List<String> argv,
        Map<String, String> environment,
        String workingDirectory,
        int stopTimeoutSeconds,
        String group,
        @Nullable String startedBy,
        @Nullable String capacityProvider,
        JsonNode overrides,
        JsonNode tags,
        @Nullable Token request,
        Instant createdAt) {

    /**
     * A client token and the call that first came with it.
     *
     * @param digest SHA-256 of the other parameters, in hexadecimal
     */
    record Token(String clientToken, String digest) {}

    String arn() {
        return Arn.task(id);
    }

    /** Found again from the metadata address, so it begins with the task's id. */
    String containerId() {
        return id + "-" + String.format("%010d", Integer.toUnsignedLong(id.hashCode()));
    }

    String containerArn() {
        return Arn.container(id, containerId());
    }
}
