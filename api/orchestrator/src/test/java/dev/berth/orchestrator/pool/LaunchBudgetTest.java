package dev.berth.orchestrator.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.BerthSettingsTest;
import io.temporal.worker.WorkerOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LaunchBudgetTest {
    private static final BerthSettings SEVEN = BerthSettingsTest.start("--berth.launch.per-second=7");

    @Tag("X8")
    @DisplayName("Only the launch queue has the configured rate")
    @Test
    void onlyLaunchQueueIsLimited() {
        assertThat(rateOf("launch")).isEqualTo(7);
        assertThat(rateOf("fleet")).isZero();
        assertThat(rateOf("orders")).isZero();
    }

    private static double rateOf(String taskQueue) {
        return new LaunchBudget()
                .launchRate(SEVEN)
                .customize(WorkerOptions.newBuilder(), taskQueue, taskQueue)
                .build()
                .getMaxTaskQueueActivitiesPerSecond();
    }
}
