package dev.berth.orchestrator.retention;

import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.BerthSettings;
import dev.berth.temporal.FleetSchedule;
import dev.berth.temporal.TemporalClients;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.ScheduleClient;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Keeps the archive's schedule while there is an archive. Every replica may do so. */
@Component
class RetentionSchedule extends PeriodicTask {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final ScheduleClient schedules;
    private final FleetSchedule schedule = FleetSchedule.archive();
    private final boolean isOn;
    private boolean upToDate;

    RetentionSchedule(WorkflowClient temporal, BerthSettings settings) {
        super("retention-schedule", INTERVAL);
        this.schedules = ScheduleClient.newInstance(
                temporal.getWorkflowServiceStubs(), TemporalClients.schedules(temporal.getOptions()));
        this.isOn = settings.retention().archive() != null;
    }

    @Override
    protected void round() {
        if (!isOn) {
            if (!upToDate) {
                schedule.delete(schedules);
            }
        } else if (!schedule.create(schedules) && !upToDate) {
            schedule.update(schedules);
        }
        upToDate = true;
    }
}
