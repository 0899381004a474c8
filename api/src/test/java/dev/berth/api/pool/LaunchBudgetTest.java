package dev.berth.api.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.BerthSettings;
import dev.berth.api.BerthSettingsTest;
import io.temporal.worker.WorkerOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LaunchBudgetTest {
    private static final BerthSettings SEVEN = BerthSettingsTest.start("--berth.launch.per-second=7");

    @DisplayName("X8 the server holds the queue launch, and no other, to the rate of the settings")
    @Test
    void theRateIsASetting() {
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
