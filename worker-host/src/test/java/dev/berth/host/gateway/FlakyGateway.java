package dev.berth.host.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;

/** A gateway whose next reports fail. */
public final class FlakyGateway implements ClientInterceptor {
    /** How many reports still fail. */
    public final AtomicInteger failures = new AtomicInteger();

    public final AtomicInteger attempts = new AtomicInteger();
    private final Status failure;

    public FlakyGateway(Status failure) {
        this.failure = failure;
    }

    public GatewayClient before(GatewayConnection gateway) {
        return new GatewayClient(ClientInterceptors.intercept(gateway.channel(), this), new AssignmentHeader());
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                boolean report = method.getFullMethodName().equals(GatewayMethods.REPORT.getFullMethodName());
                if (report) {
                    attempts.incrementAndGet();
                }
                super.start(listener, headers);
                if (report && failures.getAndDecrement() > 0) {
                    super.cancel("the test lets it fail", failure.asRuntimeException());
                }
            }
        };
    }
}
