package dev.berth.host.gateway;

import dev.berth.host.tracing.Span;
import dev.berth.temporal.gateway.GatewayMetadata;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/** Headers of every call: the assignment of this task, once it has one, and the current span. */
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
                Span.current()
                        .ifPresent(span -> headers.put(
                                GatewayMetadata.TRACE, span.context().toString()));
                super.start(listener, headers);
            }
        };
    }
}
