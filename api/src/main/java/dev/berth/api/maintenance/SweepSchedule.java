package dev.berth.api.maintenance;

import dev.berth.api.BerthSettings;
import dev.berth.api.Periodic;
import dev.berth.api.Roles;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.MaintenanceWorkflow;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleAlreadyRunningException;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleUpdate;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Makes the sweep's schedule, or brings the one that there is up to date; every replica may do so. One that an operator
 * paused stays paused; one that is gone, such as with Temporal's data, is made again.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class SweepSchedule extends Periodic {
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** A sweep that was missed for longer is pointless: the next one sees the same. */
    private static final Duration CATCH_UP = Duration.ofSeconds(60);
    /** One that hangs must not keep all others from starting. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final ScheduleClient schedules;
    private final Schedule wanted;
    private boolean upToDate;

    SweepSchedule(WorkflowClient temporal, BerthSettings settings) {
        super("sweep-schedule", EVERY);
        this.schedules = ScheduleClient.newInstance(
                temporal.getWorkflowServiceStubs(),
                ScheduleClientOptions.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setDataConverter(temporal.getOptions().getDataConverter())
                        .build());
        this.wanted = schedule(settings.sweep().every());
    }

    static Schedule schedule(Duration every) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.MAINTENANCE)
                .setTaskQueue(TaskQueues.FLEET)
                .setWorkflowRunTimeout(LONGEST)
                // No summary: the SDK can not read back a schedule with one and without details, to update it.
                .build();
        return Schedule.newBuilder()
                .setAction(ScheduleActionStartWorkflow.newBuilder()
                        .setWorkflowType(MaintenanceWorkflow.TYPE)
                        .setOptions(options)
                        .build())
                .setSpec(ScheduleSpec.newBuilder()
                        .setIntervals(List.of(new ScheduleIntervalSpec(every)))
                        .build())
                .setPolicy(SchedulePolicy.newBuilder()
                        .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP)
                        .setCatchupWindow(CATCH_UP)
                        .build())
                .build();
    }

    @Override
    protected void round() {
        try {
            schedules.createSchedule(
                    WorkflowIds.MAINTENANCE,
                    wanted,
                    ScheduleOptions.newBuilder().build());
        } catch (ScheduleAlreadyRunningException there) {
            if (!upToDate) {
                update();
            }
        }
        upToDate = true;
    }

    private void update() {
        schedules.getHandle(WorkflowIds.MAINTENANCE).update(before -> {
            Schedule kept = before.getDescription().getSchedule();
            return new ScheduleUpdate(Schedule.newBuilder(kept)
                    .setAction(wanted.getAction())
                    .setSpec(wanted.getSpec())
                    .setPolicy(wanted.getPolicy())
                    .build());
        });
    }
}
