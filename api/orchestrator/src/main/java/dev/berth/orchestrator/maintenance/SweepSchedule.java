package dev.berth.orchestrator.maintenance;

import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.BerthSettings;
import dev.berth.temporal.FleetSchedule;
import dev.berth.temporal.TemporalClients;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.ScheduleClient;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * Creates the sweep's schedule, or updates the existing one once. Every replica may do so; a
 * schedule that disappears, for example with Temporal's data, is created again.
 */
@Component
class SweepSchedule extends PeriodicTask {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final ScheduleClient schedules;
    private final FleetSchedule schedule;
    private boolean upToDate;

    SweepSchedule(WorkflowClient temporal, BerthSettings settings) {
        super("sweep-schedule", INTERVAL);
        this.schedules = ScheduleClient.newInstance(
                temporal.getWorkflowServiceStubs(), TemporalClients.schedules(temporal.getOptions()));
        this.schedule = FleetSchedule.sweep(
                settings.sweep().every(), settings.timeLimits().sweep());
    }

    @Override
    protected void round() {
        if (!schedule.create(schedules) && !upToDate) {
            schedule.update(schedules);
        }
        upToDate = true;
    }
}
