package dev.berth.temporal;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;

/** Options that every process shares; each takes a builder that the process has begun. */
public final class TemporalConnection {
    /**
     * Records as JSON. A field that this version does not know is passed over: during a deploy the older replica
     * reads what the newer one wrote, and a history outlives many versions.
     */
    public static final DataConverter DATA_CONVERTER = DefaultDataConverter.newDefaultInstance()
            .withPayloadConverterOverrides(
                    new JacksonJsonPayloadConverter(JacksonJsonPayloadConverter.newDefaultObjectMapper()
                            .configure(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS, false)
                            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)));

    private TemporalConnection() {}

    /** Payloads are a few hundred bytes: packing them costs more time than it saves. */
    public static WorkflowServiceStubsOptions.Builder stubs(WorkflowServiceStubsOptions.Builder options) {
        return options.setGrpcCompression(GrpcCompression.NONE);
    }

    /** Workflow threads block a lot and compute little. */
    public static WorkerFactoryOptions.Builder factory(WorkerFactoryOptions.Builder options) {
        return options.setUsingVirtualWorkflowThreads(true);
    }

    /**
     * A queue of one user: one poller, so that 100,000 of them stay few, and fixed slots.
     *
     * @param slots how many activities run at once; 0 = no limit
     * @throws IllegalArgumentException when slots are negative
     */
    public static WorkerOptions.Builder userQueue(int slots) {
        if (slots < 0) {
            throw new IllegalArgumentException("slots must be 0 (no limit) or more, not " + slots);
        }
        return WorkerOptions.newBuilder()
                // Left at 0, the SDK would take its default of 200.
                .setMaxConcurrentActivityExecutionSize(slots == 0 ? Integer.MAX_VALUE : slots)
                .setMaxConcurrentActivityTaskPollers(1)
                .setUsingVirtualThreadsOnActivityWorker(true)
                // Of a time-out of 3 s the default would let a beat pass only every 2.4 s: one late beat would be
                // death.
                .setMaxHeartbeatThrottleInterval(Duration.ofSeconds(1))
                .setAllowActivityHeartbeatDuringShutdown(true);
    }
}
