package dev.berth.temporal;

import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.MaintenanceWorkflow;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleAlreadyRunningException;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleUpdate;
import java.time.Duration;
import java.util.List;

/** The schedule of the maintenance sweep. */
public final class MaintenanceSchedule {
    /** A sweep that was missed for longer is pointless: the next one sees the same. */
    private static final Duration CATCH_UP = Duration.ofSeconds(60);
    /** A sweep that hangs must not keep all others from starting. */
    private static final Duration RUN_TIMEOUT = Duration.ofMinutes(5);

    private final Schedule wanted;

    public MaintenanceSchedule(Duration interval) {
        // No summary: the SDK cannot read back, and so not update, a schedule with one.
        WorkflowOptions sweep = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.MAINTENANCE)
                .setTaskQueue(TaskQueues.FLEET)
                .setWorkflowRunTimeout(RUN_TIMEOUT)
                .build();
        this.wanted = Schedule.newBuilder()
                .setAction(ScheduleActionStartWorkflow.newBuilder()
                        .setWorkflowType(MaintenanceWorkflow.TYPE)
                        .setOptions(sweep)
                        .build())
                .setSpec(ScheduleSpec.newBuilder()
                        .setIntervals(List.of(new ScheduleIntervalSpec(interval)))
                        .build())
                .setPolicy(SchedulePolicy.newBuilder()
                        .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP)
                        .setCatchupWindow(CATCH_UP)
                        .build())
                .build();
    }

    Schedule wanted() {
        return wanted;
    }

    /**
     * Creates the schedule.
     *
     * @return false when the schedule exists, perhaps with other options
     */
    public boolean create(ScheduleClient schedules) {
        try {
            schedules.createSchedule(
                    WorkflowIds.MAINTENANCE,
                    wanted,
                    ScheduleOptions.newBuilder().build());
            return true;
        } catch (ScheduleAlreadyRunningException exists) {
            return false;
        }
    }

    /** Updates the existing schedule. One that an operator paused stays paused. */
    public void update(ScheduleClient schedules) {
        schedules.getHandle(WorkflowIds.MAINTENANCE).update(current -> {
            Schedule kept = current.getDescription().getSchedule();
            return new ScheduleUpdate(Schedule.newBuilder(kept)
                    .setAction(wanted.getAction())
                    .setSpec(wanted.getSpec())
                    .setPolicy(wanted.getPolicy())
                    .build());
        });
    }
}
