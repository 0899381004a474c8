package dev.berth.process;

import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.ConcurrencyOptions;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.TemporalWorkers;
import dev.berth.temporal.codec.DerivedPayloadKeys;
import dev.berth.workflows.TaskQueues;
import io.temporal.common.converter.DataConverter;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import io.temporal.spring.boot.WorkerOptionsCustomizer;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives the starter's client and workers the options that every process shares. */
@Configuration
class TemporalOptions {
    private static final Logger LOG = LoggerFactory.getLogger(TemporalOptions.class);
    /**
     * The SDK fails a workflow task whose thread does not get a core for a second, and a failed one
     * is replayed again: a process that starts beside a hundred lifecycles failed most of them. An
     * order's task times out before this.
     */
    private static final Duration DEADLOCK = Duration.ofSeconds(5);

    @Bean
    DataConverter mainDataConverter(DerivedPayloadKeys payloadKeys) {
        return TemporalClients.encrypting(payloadKeys);
    }

    @Bean
    TemporalOptionsCustomizer<WorkflowServiceStubsOptions.Builder> stubs() {
        return options -> TemporalProfile.applied(TemporalClients.stubs(options), System.getenv());
    }

    @Bean
    TemporalOptionsCustomizer<WorkerFactoryOptions.Builder> factory(BerthSettings settings) {
        return options -> TemporalWorkers.workflows(
                options,
                TemporalOptions::logIgnored,
                new ActivityLogContext(),
                new ActivityTimeLimits(settings.timeLimits().byActivity()));
    }

    private static void logIgnored(String workflowId, String signal, String fault) {
        LOG.warn("signal {} of {} was ignored: {}", signal, workflowId, fault);
    }

    /** How many steps and activities one process runs at once; Temporal keeps the rest queued. */
    @Bean
    WorkerOptionsCustomizer concurrency(BerthSettings settings) {
        ConcurrencyOptions atOnce = settings.concurrency();
        return new WorkerOptionsCustomizer() {
            @Override
            public WorkerOptions.Builder customize(WorkerOptions.Builder options, String workerName, String taskQueue) {
                return switch (taskQueue) {
                    case TaskQueues.ORDERS -> steps(options, atOnce.orderSteps());
                    case TaskQueues.FLEET ->
                        steps(options, atOnce.lifecycleSteps())
                                .setMaxConcurrentActivityExecutionSize(atOnce.fleetActivities());
                    case TaskQueues.WEBHOOKS ->
                        options.setMaxConcurrentActivityExecutionSize(atOnce.webhookDeliveries());
                    default -> options;
                };
            }
        };
    }

    private static WorkerOptions.Builder steps(WorkerOptions.Builder options, int atOnce) {
        return options.setMaxConcurrentWorkflowTaskExecutionSize(atOnce)
                .setMaxConcurrentLocalActivityExecutionSize(atOnce)
                .setDefaultDeadlockDetectionTimeout(DEADLOCK.toMillis());
    }

    /** The starter does not wait for running tasks when it shuts the workers down. */
    @Bean
    SmartLifecycle workersFinish(WorkerFactory factory) {
        return new SmartLifecycle() {
            private volatile boolean running;

            @Override
            public void start() {
                running = true;
            }

            @Override
            public void stop() {
                factory.shutdown();
                factory.awaitTermination(10, TimeUnit.SECONDS);
                factory.shutdownNow();
                running = false;
            }

            @Override
            public boolean isRunning() {
                return running;
            }
        };
    }
}
