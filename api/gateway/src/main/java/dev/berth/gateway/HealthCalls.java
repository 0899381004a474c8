package dev.berth.gateway;

import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ServerCalls;

/** Temporal's own health, which the SDK asks for when it connects. */
final class HealthCalls {
    private HealthCalls() {}

    /** {@code Watch} is not among them: it would be a stream that no worker needs. */
    static ServerServiceDefinition service(Upstream temporal) {
        return ServerServiceDefinition.builder(HealthGrpc.SERVICE_NAME)
                .addMethod(
                        HealthGrpc.getCheckMethod(),
                        ServerCalls.<HealthCheckRequest, HealthCheckResponse>asyncUnaryCall(
                                (request, worker) -> temporal.call(HealthGrpc.getCheckMethod(), request, worker)))
                .build();
    }
}
