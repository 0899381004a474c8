package dev.berth.api;

import dev.berth.activities.codec.DerivedPayloadKeys;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.TemporalWorkers;
import io.temporal.common.converter.DataConverter;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives the starter's client and workers the options that every process shares. */
@Configuration
class TemporalOptions {

    @Bean
    DataConverter mainDataConverter(DerivedPayloadKeys payloadKeys) {
        return TemporalClients.encrypting(payloadKeys);
    }

    @Bean
    TemporalOptionsCustomizer<WorkflowServiceStubsOptions.Builder> stubs() {
        return options -> TemporalProfile.applied(TemporalClients.stubs(options), System.getenv());
    }

    @Bean
    TemporalOptionsCustomizer<WorkerFactoryOptions.Builder> factory() {
        return options -> TemporalWorkers.factory(options).setWorkerInterceptors(new ActivityLogContext());
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
