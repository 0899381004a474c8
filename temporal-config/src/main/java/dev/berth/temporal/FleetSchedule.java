package dev.berth.temporal;

import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.MaintenanceWorkflow;
import dev.berth.workflows.retention.ArchiveWorkflow;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleAlreadyRunningException;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleUpdate;
import java.time.Duration;
import java.util.List;

/** The schedule of a workflow of the fleet, which never runs twice at once. */
public final class FleetSchedule {
    /** A sweep that was missed for longer is pointless: the next one sees the same. */
    private static final Duration SWEEP_CATCH_UP = Duration.ofSeconds(60);
    /** What the archive misses in one hour is taken by the next. */
    private static final Duration ARCHIVE_INTERVAL = Duration.ofHours(1);
    /** Two hundred files of a second each, and an activity that fails for half an hour. */
    private static final Duration ARCHIVE_RUN_TIMEOUT = Duration.ofHours(2);

    private final String id;
    private final Schedule wanted;

    private FleetSchedule(String id, String type, Duration interval, Duration catchUp, Duration runTimeout) {
        this.id = id;
        // No summary: the SDK cannot read back, and so not update, a schedule with one.
        WorkflowOptions workflow = WorkflowOptions.newBuilder()
                .setWorkflowId(id)
                .setTaskQueue(TaskQueues.FLEET)
                .setWorkflowRunTimeout(runTimeout)
                .build();
        this.wanted = Schedule.newBuilder()
                .setAction(ScheduleActionStartWorkflow.newBuilder()
                        .setWorkflowType(type)
                        .setOptions(workflow)
                        .build())
                .setSpec(ScheduleSpec.newBuilder()
                        .setIntervals(List.of(new ScheduleIntervalSpec(interval)))
                        .build())
                .setPolicy(SchedulePolicy.newBuilder()
                        .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP)
                        .setCatchupWindow(catchUp)
                        .build())
                .build();
    }

    /**
     * The schedule of the maintenance sweep.
     *
     * @param timeLimit ends a sweep that hangs, so that it does not keep all others from starting
     */
    public static FleetSchedule sweep(Duration interval, Duration timeLimit) {
        return new FleetSchedule(
                WorkflowIds.MAINTENANCE, MaintenanceWorkflow.TYPE, interval, SWEEP_CATCH_UP, timeLimit);
    }

    /** The schedule of the archive of closed orders. */
    public static FleetSchedule archive() {
        return new FleetSchedule(
                WorkflowIds.ARCHIVE, ArchiveWorkflow.TYPE, ARCHIVE_INTERVAL, ARCHIVE_INTERVAL, ARCHIVE_RUN_TIMEOUT);
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
            schedules.createSchedule(id, wanted, ScheduleOptions.newBuilder().build());
            return true;
        } catch (ScheduleAlreadyRunningException exists) {
            return false;
        }
    }

    /** Updates the existing schedule. One that an operator paused stays paused. */
    public void update(ScheduleClient schedules) {
        schedules.getHandle(id).update(current -> {
            Schedule kept = current.getDescription().getSchedule();
            return new ScheduleUpdate(Schedule.newBuilder(kept)
                    .setAction(wanted.getAction())
                    .setSpec(wanted.getSpec())
                    .setPolicy(wanted.getPolicy())
                    .build());
        });
    }

    /** Starts the workflow now, unless it runs. */
    public void trigger(ScheduleClient schedules) {
        schedules.getHandle(id).trigger(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP);
    }

    /** Deletes the schedule, if it exists. */
    public void delete(ScheduleClient schedules) {
        try {
            schedules.getHandle(id).delete();
        } catch (ScheduleException failed) {
            if (!(failed.getCause() instanceof StatusRuntimeException status)
                    || status.getStatus().getCode() != Status.Code.NOT_FOUND) {
                throw failed;
            }
        }
    }
}
