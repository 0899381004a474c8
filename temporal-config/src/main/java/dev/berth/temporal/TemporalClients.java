package dev.berth.temporal;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.berth.temporal.codec.EncryptingCodec;
import dev.berth.temporal.codec.PayloadKeys;
import io.temporal.client.ActivityClientOptions;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.List;

/** Connection and client options that every process shares. */
public final class TemporalClients {
    /** The namespace of all workflows, unless a setting names another one. */
    public static final String NAMESPACE = "berth";

    /**
     * Records as plain JSON. A reader ignores unknown fields: during a deploy the older replica
     * reads what the newer one wrote, and a history outlives many versions.
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

    /** {@link #DATA_CONVERTER}, whose payloads and failures are encrypted with these keys. */
    public static DataConverter encrypting(PayloadKeys keys) {
        return new CodecDataConverter(DATA_CONVERTER, List.of(new EncryptingCodec(keys)), true);
    }

    public static WorkflowClientOptions.Builder workflows(String namespace, DataConverter converter) {
        return WorkflowClientOptions.newBuilder().setNamespace(namespace).setDataConverter(converter);
    }

    /** The options of the same namespace and data converter as the workflows'. */
    public static ActivityClientOptions activities(WorkflowClientOptions workflows) {
        return ActivityClientOptions.newBuilder()
                .setNamespace(workflows.getNamespace())
                .setDataConverter(workflows.getDataConverter())
                .build();
    }

    /** The options of the same namespace and data converter as the workflows'. */
    public static ScheduleClientOptions schedules(WorkflowClientOptions workflows) {
        return ScheduleClientOptions.newBuilder()
                .setNamespace(workflows.getNamespace())
                .setDataConverter(workflows.getDataConverter())
                .build();
    }
}
