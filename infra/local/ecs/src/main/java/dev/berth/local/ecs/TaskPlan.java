package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The immutable part of a task, fixed when the task is accepted.
 *
 * @param id 32 hexadecimal digits
 * @param containerName the only container of the definition
 * @param container what a container has, and a process has not
 * @param argv the program and its arguments; of a container those that its definition names
 * @param environment from the definition and the overrides, without the variables of local ECS
 * @param workingDirectory empty: the one of local ECS
 * @param stopTimeoutSeconds between SIGTERM and SIGKILL
 * @param dumpsCore whether a crash may write a core dump; not with the ulimit {@code core} of 0
 * @param overrides as in the request
 * @param request the client token of the request; kept until the token expires
 */
record TaskPlan(
        String cluster,
        String id,
        String hostId,
        String taskDefinitionArn,
        String family,
        int revision,
        String containerName,
        String image,
        ContainerSettings container,
        TaskSize size,
        List<String> argv,
        Map<String, String> environment,
        String workingDirectory,
        int stopTimeoutSeconds,
        boolean dumpsCore,
        String group,
        @Nullable String startedBy,
        @Nullable String capacityProvider,
        JsonNode overrides,
        JsonNode tags,
        @Nullable Token request,
        Instant createdAt) {

    /**
     * A client token and the digest of its first request.
     *
     * @param digest SHA-256 of the other parameters, in hexadecimal
     */
    record Token(String clientToken, String digest) {}

    String arn() {
        return Arn.task(cluster, id);
    }

    String containerInstanceArn() {
        return Arn.containerInstance(cluster, hostId);
    }

    /** Begins with the task's id, so that the metadata address leads to the task. */
    String containerId() {
        return id + "-" + String.format(Locale.ROOT, "%010d", Integer.toUnsignedLong(id.hashCode()));
    }

    String containerArn() {
        return Arn.container(cluster, id, containerId());
    }
}
