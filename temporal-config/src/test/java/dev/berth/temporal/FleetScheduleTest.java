package dev.berth.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.SchedulePolicy;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FleetScheduleTest {
    private final Schedule schedule =
            FleetSchedule.sweep(Duration.ofSeconds(40), Duration.ofMinutes(5)).wanted();
    private final WorkflowOptions sweep = ((ScheduleActionStartWorkflow) schedule.getAction()).getOptions();

    @Tag("A10")
    @DisplayName("Sweeps run at the configured interval on the fleet queue")
    @Test
    void runsAtConfiguredInterval() {
        assertThat(schedule.getSpec().getIntervals()).containsExactly(new ScheduleIntervalSpec(Duration.ofSeconds(40)));
        assertThat(sweep.getTaskQueue()).isEqualTo("fleet");
    }

    @Tag("B10")
    @DisplayName("Sweeps do not overlap, and missed ones are skipped after 60 s")
    @Test
    void skipsOverlappingSweeps() {
        SchedulePolicy policy = Objects.requireNonNull(schedule.getPolicy());
        assertThat(policy.getOverlap()).isEqualTo(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP);
        assertThat(policy.getCatchupWindow()).isEqualTo(Duration.ofMinutes(1));
    }

    @Tag("X24")
    @DisplayName("The archive runs every hour, never twice at once, and a missed hour is made up for")
    @Test
    void archivesEveryHour() {
        Schedule archive = FleetSchedule.archive().wanted();
        assertThat(archive.getSpec().getIntervals()).containsExactly(new ScheduleIntervalSpec(Duration.ofHours(1)));
        SchedulePolicy policy = Objects.requireNonNull(archive.getPolicy());
        assertThat(policy.getOverlap()).isEqualTo(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP);
        assertThat(policy.getCatchupWindow()).isEqualTo(Duration.ofHours(1));
    }

    @Tag("B8")
    @DisplayName("A sweep that hangs times out after the configured limit")
    @Test
    void hangingSweepTimesOut() {
        assertThat(sweep.getWorkflowRunTimeout()).isEqualTo(Duration.ofMinutes(5));
    }
}
