package dev.berth.acceptance.stack;

import static dev.berth.acceptance.rest.JsonRecords.required;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A task as ECS describes it. A task that ECS does not know has none of the fields. A field that
 * every task has is required: to read it where it is absent is an {@link AssertionError}.
 *
 * @param pullStartedAt when a host got the task
 */
public record EcsTask(
        @Nullable String taskArn,
        @Nullable String taskDefinitionArn,
        @Nullable String containerInstanceArn,
        @Nullable String capacityProviderName,
        @Nullable String lastStatus,
        @Nullable String startedBy,
        @Nullable String stopCode,
        @Nullable String stoppedReason,
        @Nullable Instant pullStartedAt,
        @Nullable Instant stoppedAt,
        @Nullable Overrides overrides,
        @Nullable List<Container> containers) {

    /** What a start changes of the task definition. */
    public record Overrides(@Nullable List<ContainerOverride> containerOverrides) {}

    /** What a start changes of a container. */
    public record ContainerOverride(@Nullable List<Variable> environment) {}

    /** An environment variable. */
    public record Variable(String name, String value) {}

    /**
     * The container of a worker.
     *
     * @param exitCode absent while the container runs
     * @param reason why the container ended
     */
    public record Container(
            @Nullable Integer exitCode, @Nullable String reason) {}

    /** The last part of the ARN. */
    public String id() {
        return idOf(taskArn());
    }

    static String idOf(String arn) {
        return arn.substring(arn.lastIndexOf('/') + 1);
    }

    /** An environment variable that the start set; empty without one. */
    public String variable(String name) {
        if (overrides == null || overrides.containerOverrides() == null) {
            return "";
        }
        return overrides.containerOverrides().stream()
                .map(ContainerOverride::environment)
                .flatMap(environment -> environment == null ? Stream.of() : environment.stream())
                .filter(variable -> variable.name().equals(name))
                .map(Variable::value)
                .findFirst()
                .orElse("");
    }

    public Container container() {
        return required(containers, "containers").getFirst();
    }

    /** The exit code of the container; -1 while it runs, and of a task that ECS does not know. */
    public int exitCode() {
        Integer code = containers == null ? null : container().exitCode();
        return code == null ? -1 : code;
    }

    @Override
    public String taskArn() {
        return required(taskArn, "taskArn");
    }

    @Override
    public Instant pullStartedAt() {
        return required(pullStartedAt, "pullStartedAt");
    }

    @Override
    public Instant stoppedAt() {
        return required(stoppedAt, "stoppedAt");
    }
}
