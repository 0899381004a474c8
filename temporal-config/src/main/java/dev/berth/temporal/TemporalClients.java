package dev.berth.temporal;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temporal.client.ActivityClientOptions;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;

/** Connection and client options that every process shares. */
public final class TemporalClients {
    /** The namespace of all workflows, unless a setting names another one. */
    public static final String NAMESPACE = "berth";

    /**
     * Records as JSON. A reader ignores unknown fields: during a deploy the older replica reads
     * what
     * the newer one wrote, and a history outlives many versions.
     */
    public static final DataConverter DATA_CONVERTER = DefaultDataConverter.newDefaultInstance()
            .withPayloadConverterOverrides(
                    new RedactingJsonConverter(JacksonJsonPayloadConverter.newDefaultObjectMapper()
                            .configure(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS, false)
                            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)));

    private TemporalClients() {}

    public static WorkflowServiceStubsOptions.Builder stubs(String target) {
        return stubs(WorkflowServiceStubsOptions.newBuilder()).setTarget(target);
    }

    /** Payloads are a few hundred bytes: compression costs more time than it saves. */
    public static WorkflowServiceStubsOptions.Builder stubs(WorkflowServiceStubsOptions.Builder options) {
        return options.setGrpcCompression(GrpcCompression.NONE);
    }

    public static WorkflowClientOptions.Builder workflows(String namespace) {
        return WorkflowClientOptions.newBuilder().setNamespace(namespace).setDataConverter(DATA_CONVERTER);
    }

    public static ActivityClientOptions activities(String namespace) {
        return ActivityClientOptions.newBuilder()
                .setNamespace(namespace)
                .setDataConverter(DATA_CONVERTER)
                .build();
    }

    public static ScheduleClientOptions schedules(String namespace) {
        return ScheduleClientOptions.newBuilder()
                .setNamespace(namespace)
                .setDataConverter(DATA_CONVERTER)
                .build();
    }
}
