package dev.berth.activities.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.worker.TaskDeath;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.ecs.model.Container;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * Words that local ECS does not say. What it says is tested with it, in {@code TaskDeathTest}.
 */
class StopProofTest {
    private static final Instant RAN = Instant.parse("2026-11-24T10:00:00Z");

    @Tag("X2")
    @DisplayName("Only ECS's own word on the worker's container, or on its host, proves its death")
    @ParameterizedTest(name = "{0} {1} {2} {3} {4} {5}")
    @CsvSource({
        // lastStatus, stopCode, stoppedReason, startedAt, container, exitCode, death
        "RUNNING, , , RAN, worker, , ALIVE",
        "STOPPING, UserInitiated, replaced, RAN, worker, , ALIVE",
        "DEPROVISIONING, EssentialContainerExited, exited, RAN, worker, 0, ALIVE",
        "STOPPED, EssentialContainerExited, exited, RAN, worker, 0, PROVEN",
        "STOPPED, EssentialContainerExited, exited, RAN, sidecar, 0, UNCONFIRMED",
        "STOPPED, EssentialContainerExited, exited, RAN, worker, , UNCONFIRMED",
        "STOPPED, TerminationNotice, Host EC2 (instance i-03dba81187d65ce7e) terminated., RAN, worker, , PROVEN",
        "STOPPED, , Host EC2 (instance i-03dba81187d65ce7e) terminated., RAN, worker, , PROVEN",
        "STOPPED, TerminationNotice, Host EC2 (instance i-03dba81187d65ce7e) stopped., RAN, worker, , UNCONFIRMED",
        "STOPPED, UserInitiated, Host EC2 (instance i-03dba81187d65ce7e) terminated., RAN, worker, , UNCONFIRMED",
        "STOPPED, SpotInterruption, Your Spot Task was interrupted., RAN, worker, , UNCONFIRMED",
        "STOPPED, TaskFailedToStart, Task failed to start, , worker, , PROVEN",
        "STOPPED, TaskFailedToStart, Task failed to start, RAN, worker, , UNCONFIRMED",
        "STOPPED, UserInitiated, replaced, , worker, , UNCONFIRMED",
        "STOPPED, , , RAN, worker, , UNCONFIRMED",
    })
    void onlyContainerOrHostStateProvesDeath(
            String status,
            @Nullable String code,
            @Nullable String reason,
            @Nullable String started,
            String container,
            @Nullable Integer exitCode,
            TaskDeath death) {
        Task task = Task.builder()
                .lastStatus(status)
                .stopCode(code)
                .stoppedReason(reason)
                .startedAt(started == null ? null : RAN)
                .containers(
                        Container.builder().name(container).exitCode(exitCode).build())
                .build();
        assertThat(StopProof.of(task)).isEqualTo(death);
    }
}
