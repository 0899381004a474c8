package dev.berth.host.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gateway whose next reports fail. */
public final class FlakyGateway implements ClientInterceptor {
    /** How many reports still fail. */
    public final AtomicInteger failures = new AtomicInteger();

    public final AtomicInteger attempts = new AtomicInteger();
    private final Status failure;

    public FlakyGateway(Status failure) {
        this.failure = failure;
    }

    public WorkerGatewayClient before(GatewayConnection gateway) {
        return new WorkerGatewayClient(
                ClientInterceptors.intercept(gateway.channel(), this), new AssignmentHeader(), () -> {});
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        if (method.getFullMethodName().equals(GatewayMethods.REPORT.getFullMethodName())) {
            attempts.incrementAndGet();
            if (failures.getAndDecrement() > 0) {
                return new FailedCall<>(failure);
            }
        }
        return next.newCall(method, options);
    }

    private static final class FailedCall<Q, A> extends ClientCall<Q, A> {
        private final Status failure;

        FailedCall(Status failure) {
            this.failure = failure;
        }

        @Override
        public void start(Listener<A> listener, Metadata headers) {
            listener.onClose(failure, new Metadata());
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String why, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
    }
}
