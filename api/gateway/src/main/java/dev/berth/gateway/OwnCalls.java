package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.untrusted.ValueCheck;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.lettuce.core.RedisException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowServiceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.dao.DataAccessException;

/** Runs the gateway's own methods, each on a virtual thread: they wait for servers. */
final class OwnCalls {
    private static final Logger LOG = LoggerFactory.getLogger(OwnCalls.class);

    private final Refusals refusals;
    private final ExecutorService threads;
    private final ScheduledExecutorService clock;
    private final List<MethodDescriptor<byte[], ?>> methods = new ArrayList<>();
    private final List<Consumer<ServerServiceDefinition.Builder>> handlers = new ArrayList<>();

    OwnCalls(Refusals refusals, ExecutorService threads, ScheduledExecutorService clock) {
        this.refusals = refusals;
        this.threads = threads;
        this.clock = clock;
    }

    /** Answers one method; a status that it throws is the answer, too. */
    interface Method<Q, A> {
        A call(Caller caller, Q request);
    }

    /** Answers one method later. */
    interface WaitingMethod<Q, A> {
        CompletionStage<A> call(Caller caller, Q request);
    }

    /** The caller is null for the one method that needs no certificate. */
    <Q, A> OwnCalls method(MethodDescriptor<Q, A> method, Method<Q, A> body) {
        return add(method, (request, worker) -> start(method, body, request, worker));
    }

    /** No thread waits for the answer, and none is awaited when the caller has left. */
    <Q, A> OwnCalls waitingMethod(MethodDescriptor<Q, A> method, WaitingMethod<Q, A> body) {
        return add(
                method,
                (request, worker) ->
                        threads.execute(Context.current().wrap(() -> startWaiting(method, body, request, worker))));
    }

    private <Q, A> OwnCalls add(MethodDescriptor<Q, A> method, ServerCalls.UnaryMethod<byte[], A> handler) {
        MethodDescriptor<byte[], A> unread =
                method.toBuilder(new Bytes(), method.getResponseMarshaller()).build();
        methods.add(unread);
        handlers.add(service -> service.addMethod(unread, ServerCalls.asyncUnaryCall(handler)));
        return this;
    }

    private <Q, A> void startWaiting(
            MethodDescriptor<Q, A> method, WaitingMethod<Q, A> body, byte[] request, StreamObserver<A> worker) {
        CompletionStage<A> later;
        try {
            later = answer(method, body::call, request);
        } catch (StatusRuntimeException status) {
            worker.onError(status);
            return;
        }
        later.whenComplete((answer, failure) -> {
            if (failure == null) {
                worker.onNext(answer);
                worker.onCompleted();
            } else {
                LOG.warn("{} failed: {}", method.getFullMethodName(), failure.getMessage());
                worker.onError(Status.UNAVAILABLE
                        .withDescription("a server does not answer")
                        .asRuntimeException());
            }
        });
    }

    ServerServiceDefinition build() {
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(GatewayMethods.SERVICE);
        methods.forEach(descriptor::addMethod);
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(descriptor.build());
        handlers.forEach(handler -> handler.accept(service));
        return service.build();
    }

    private <Q, A> void start(
            MethodDescriptor<Q, A> method, Method<Q, A> body, byte[] request, StreamObserver<A> worker) {
        Context context = Context.current();
        Context.CancellableContext limited = context.getDeadline() == null
                ? context.withDeadlineAfter(GatewayLimits.LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS, clock)
                : context.withCancellation();
        threads.execute(limited.wrap(() -> {
            // The thread ends with the call.
            Optional.ofNullable(Caller.TRACE.get())
                    .ifPresent(trace -> MDC.put(TraceContext.LOG_FIELD, trace.traceId()));
            try {
                worker.onNext(answer(method, body, request));
                worker.onCompleted();
            } catch (StatusRuntimeException status) {
                worker.onError(status);
            } finally {
                limited.cancel(null);
            }
        }));
    }

    private <Q, R> R answer(MethodDescriptor<Q, ?> method, Method<Q, R> body, byte[] request) {
        try {
            return body.call(Caller.KEY.get(), parsed(method, request));
        } catch (StatusRuntimeException status) {
            throw status;
        } catch (RedisException unavailable) {
            throw unavailable("Redis", unavailable);
        } catch (DataAccessException unavailable) {
            throw unavailable("PostgreSQL", unavailable);
        } catch (WorkflowNotFoundException none) {
            throw Status.NOT_FOUND.withDescription("no such workflow runs").asRuntimeException();
        } catch (WorkflowServiceException failed) {
            throw unavailable("Temporal", failed);
        } catch (IllegalArgumentException malformed) {
            throw refusals.refuse(method.getFullMethodName(), Refusal.ARGUMENT, String.valueOf(malformed.getMessage()));
        } catch (RuntimeException unexpected) {
            LOG.error("{} failed", method.getFullMethodName(), unexpected);
            throw Status.INTERNAL.withDescription("the gateway failed").asRuntimeException();
        }
    }

    private static <Q> Q parsed(MethodDescriptor<Q, ?> method, byte[] request) {
        Q parsed;
        try {
            parsed = method.parseRequest(new ByteArrayInputStream(request));
        } catch (StatusRuntimeException malformed) {
            throw new IllegalArgumentException(malformed.getStatus().getDescription());
        }
        Optional<String> fault = parsed == null ? Optional.of("null") : ValueCheck.fault("request", parsed);
        if (fault.isPresent()) {
            throw new IllegalArgumentException(fault.get());
        }
        return parsed;
    }

    /** The reason is logged only: it may name servers. */
    private static StatusRuntimeException unavailable(String server, RuntimeException why) {
        LOG.warn("{} does not answer: {}", server, why.getMessage());
        return Status.UNAVAILABLE.withDescription(server + " does not answer").asRuntimeException();
    }

    /**
     * gRPC logs what a parser throws, and a caller could fill the log. {@link QuantityLimits}
     * bounds the length.
     */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException inMemory) {
                throw new IllegalStateException(inMemory);
            }
        }
    }
}
