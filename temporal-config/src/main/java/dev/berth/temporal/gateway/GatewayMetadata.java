package dev.berth.temporal.gateway;

import io.grpc.Metadata;

/** Headers of calls to the gateway. */
public final class GatewayMetadata {
    /**
     * Binds the task to a user and an epoch. Sent with every call, Temporal's included, once the
     * task has it; valid only with the certificate of the same task.
     */
    public static final Metadata.Key<String> ASSIGNMENT =
            Metadata.Key.of("berth-assignment", Metadata.ASCII_STRING_MARSHALLER);

    private GatewayMetadata() {}
}
