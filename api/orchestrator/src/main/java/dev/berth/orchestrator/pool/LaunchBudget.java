package dev.berth.orchestrator.pool;

import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.process.settings.BerthSettings;
import dev.berth.workflows.TaskQueues;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.temporal.spring.boot.WorkerOptionsCustomizer;
import io.temporal.worker.WorkerOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One launch rate for the pool and all users, which share a task queue with priorities. */
@Configuration
class LaunchBudget {
    /** Temporal enforces the rate over all replicas. The quota of ECS is 20 a second. */
    @Bean
    WorkerOptionsCustomizer launchRate(BerthSettings settings) {
        return new WorkerOptionsCustomizer() {
            @Override
            public WorkerOptions.Builder customize(WorkerOptions.Builder options, String workerName, String taskQueue) {
                return taskQueue.equals(TaskQueues.LAUNCH)
                        ? options.setMaxTaskQueueActivitiesPerSecond(
                                settings.launch().perSecond())
                        : options;
            }
        };
    }

    @Bean
    MeterBinder openCircuits(LaunchCircuitBreaker circuit) {
        return registry -> Gauge.builder("berth.launch.circuits.open", circuit, LaunchCircuitBreaker::countNotClosed)
                .description(
                        "Versions of the workers' image whose launch circuit is open: most of their launches failed")
                .register(registry);
    }
}
