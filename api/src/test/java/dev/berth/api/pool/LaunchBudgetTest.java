package dev.berth.api.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.BerthSettings;
import io.temporal.worker.WorkerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LaunchBudgetTest {
    private static final BerthSettings SEVEN = new BerthSettings(
            URI.create("redis://127.0.0.1"),
            new BerthSettings.Auth(Path.of("key")),
            new BerthSettings.Ecs("berth", "berth-worker"),
            new BerthSettings.Sqs("pool-claim", "task-events"),
            new BerthSettings.Pool(0, 2, Duration.ofHours(12)),
            new BerthSettings.Launch(7, Duration.ofSeconds(30)),
            new BerthSettings.Orders(Set.of(), Duration.ofMinutes(2), Duration.ofHours(1), false));

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
