package dev.berth.temporal.gateway;

import dev.berth.workflows.TraceContext;
import io.grpc.Metadata;

/** Headers of calls to the gateway. */
public final class GatewayMetadata {
    /**
     * Binds the task to a user and an epoch. Sent with every call, Temporal's included, once the
     * task has it; valid only with the certificate of the same task.
     */
    public static final Metadata.Key<String> ASSIGNMENT =
            Metadata.Key.of("berth-assignment", Metadata.ASCII_STRING_MARSHALLER);

    /** The span that the call is part of, for the gateway's log lines; may be absent. */
    public static final Metadata.Key<String> TRACE =
            Metadata.Key.of(TraceContext.HEADER, Metadata.ASCII_STRING_MARSHALLER);

    private GatewayMetadata() {}
}
