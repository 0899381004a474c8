package dev.berth.api.maintenance;

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
import org.junit.jupiter.api.Test;

class SweepScheduleTest {
    private final Schedule schedule = SweepSchedule.schedule(Duration.ofSeconds(40));
    private final WorkflowOptions sweep = ((ScheduleActionStartWorkflow) schedule.getAction()).getOptions();

    @DisplayName("A10 a sweep comes as often as is set, where the orchestrators listen")
    @Test
    void often() {
        assertThat(schedule.getSpec().getIntervals()).containsExactly(new ScheduleIntervalSpec(Duration.ofSeconds(40)));
        assertThat(sweep.getTaskQueue()).isEqualTo("fleet");
    }

    @DisplayName("B10 there is one sweep at a time, and what was missed for more than 60 s is not made up for")
    @Test
    void oneAtATime() {
        SchedulePolicy policy = Objects.requireNonNull(schedule.getPolicy());
        assertThat(policy.getOverlap()).isEqualTo(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP);
        assertThat(policy.getCatchupWindow()).isEqualTo(Duration.ofMinutes(1));
    }

    @DisplayName("B8 a sweep that hangs is over after 300 s, so that it keeps no other from starting")
    @Test
    void ends() {
        assertThat(sweep.getWorkflowRunTimeout()).isEqualTo(Duration.ofMinutes(5));
    }
}
