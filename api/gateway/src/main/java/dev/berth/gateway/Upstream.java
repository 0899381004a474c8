package dev.berth.gateway;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporal, as the gateway calls it on behalf of workers.
 *
 * @param detached the calls that outlive their caller, until the gateway itself ends
 */
record Upstream(Channel channel, String namespace, Context.CancellableContext detached) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upstream.class);
    /** For a caller that set no deadline: the SDK always sets one. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);

    Upstream(Channel channel, String namespace) {
        this(channel, namespace, Context.ROOT.withCancellation());
    }

    /** The caller's deadline and cancellation count. */
    <Q, A> void call(MethodDescriptor<Q, A> method, Q request, StreamObserver<A> answer) {
        CallOptions options = Context.current().getDeadline() == null
                ? CallOptions.DEFAULT.withDeadlineAfter(LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS)
                : CallOptions.DEFAULT;
        ClientCalls.asyncUnaryCall(channel.newCall(method, options), request, answer);
    }

    /** Goes on when the caller leaves. */
    <Q, A> void callDetached(MethodDescriptor<Q, A> method, Q request, Deadline deadline, StreamObserver<A> answer) {
        detached.run(() -> ClientCalls.asyncUnaryCall(
                channel.newCall(method, CallOptions.DEFAULT.withDeadline(deadline)), request, answer));
    }

    @Override
    public void close() {
        detached.close();
    }

    /** The answer is not awaited; a failure is logged. */
    <Q, A> void send(MethodDescriptor<Q, A> method, Q request) {
        Deadline deadline = Deadline.after(LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS);
        callDetached(method, request, deadline, new StreamObserver<>() {
            @Override
            public void onNext(A ignored) {}

            @Override
            public void onError(Throwable failed) {
                LOG.warn("{} failed: {}", method.getBareMethodName(), failed.getMessage());
            }

            @Override
            public void onCompleted() {}
        });
    }

    /** The status as Temporal gave it, with its details: the SDK reads them. */
    static Throwable relayed(Throwable failure) {
        Metadata trailers = Status.trailersFromThrowable(failure);
        Metadata details = new Metadata();
        if (trailers != null) {
            byte[] content = trailers.get(STATUS_DETAILS);
            if (content != null) {
                details.put(STATUS_DETAILS, content);
            }
        }
        return Status.fromThrowable(failure).asRuntimeException(details);
    }

    private static final Metadata.Key<byte[]> STATUS_DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
}
