package dev.berth.host.gateway;

import dev.berth.temporal.gateway.GatewayMetadata;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/** The assignment of this task, once it has one: a header of every call. */
final class AssignmentHeader implements ClientInterceptor {
    private volatile @Nullable String token;

    void set(@Nullable String assignment) {
        token = assignment;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                String assignment = token;
                if (assignment != null) {
                    headers.put(GatewayMetadata.ASSIGNMENT, assignment);
                }
                super.start(listener, headers);
            }
        };
    }
}
