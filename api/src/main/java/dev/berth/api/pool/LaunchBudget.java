package dev.berth.api.pool;

import dev.berth.activities.worker.LaunchHealth;
import dev.berth.api.BerthSettings;
import dev.berth.workflows.TaskQueues;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.temporal.spring.boot.WorkerOptionsCustomizer;
import io.temporal.worker.WorkerOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One budget for all launches: users' and the pool's share the queue, and its order decides who comes first. */
@Configuration
class LaunchBudget {
    /** ECS's own quota is 20 a second; the server holds all replicas to it together. */
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
    MeterBinder heldLaunches(LaunchHealth health) {
        return registry -> Gauge.builder("berth.launch.held", health, LaunchHealth::held)
                .description("Versions of the workers' image whose launches are held, since most came to nothing")
                .register(registry);
    }
}
