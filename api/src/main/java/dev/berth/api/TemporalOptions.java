package dev.berth.api;

import dev.berth.temporal.TemporalConnection;
import io.temporal.common.converter.DataConverter;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the starter's Temporal client and workers share with every other process of Berth. */
@Configuration
class TemporalOptions {

    @Bean
    DataConverter mainDataConverter() {
        return TemporalConnection.DATA_CONVERTER;
    }

    @Bean
    TemporalOptionsCustomizer<WorkflowServiceStubsOptions.Builder> stubs() {
        return TemporalConnection::stubs;
    }

    @Bean
    TemporalOptionsCustomizer<WorkerFactoryOptions.Builder> factory() {
        return options -> TemporalConnection.factory(options).setWorkerInterceptors(new ActivityLogContext());
    }

    /** The starter only begins to shut the workers down; what they have in hand would be cut off. */
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
