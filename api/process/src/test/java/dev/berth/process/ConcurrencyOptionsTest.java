package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.BerthSettingsTest;
import io.temporal.worker.WorkerOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConcurrencyOptionsTest {
    private static final BerthSettings SETTINGS = BerthSettingsTest.start(
            "--berth.concurrency.lifecycle-steps=61",
            "--berth.concurrency.order-steps=62",
            "--berth.concurrency.fleet-activities=63",
            "--berth.concurrency.webhook-deliveries=64");

    @Test
    @Tag("B10")
    @DisplayName("Each bound reaches the worker of its task queue, and no other")
    void boundsReachWorkers() {
        assertThat(optionsOf("fleet").getMaxConcurrentWorkflowTaskExecutionSize())
                .isEqualTo(61);
        assertThat(optionsOf("fleet").getMaxConcurrentLocalActivityExecutionSize())
                .isEqualTo(61);
        assertThat(optionsOf("fleet").getMaxConcurrentActivityExecutionSize()).isEqualTo(63);
        assertThat(optionsOf("orders").getMaxConcurrentWorkflowTaskExecutionSize())
                .isEqualTo(62);
        assertThat(optionsOf("orders").getMaxConcurrentLocalActivityExecutionSize())
                .isEqualTo(62);
        assertThat(optionsOf("webhooks").getMaxConcurrentActivityExecutionSize())
                .isEqualTo(64);
        WorkerOptions launch = optionsOf("launch");
        assertThat(launch).isEqualTo(WorkerOptions.newBuilder().build());
    }

    @Test
    @Tag("B10")
    @DisplayName("A step that waits for a core for longer than a second, as beside many others, does not fail")
    void busyMachineFailsNoStep() {
        for (String queue : List.of("fleet", "orders")) {
            assertThat(optionsOf(queue).getDefaultDeadlockDetectionTimeout())
                    .as(queue)
                    .isGreaterThan(TimeUnit.SECONDS.toMillis(3));
        }
    }

    private static WorkerOptions optionsOf(String taskQueue) {
        return new TemporalOptions()
                .concurrency(SETTINGS)
                .customize(WorkerOptions.newBuilder(), taskQueue, taskQueue)
                .build();
    }
}
