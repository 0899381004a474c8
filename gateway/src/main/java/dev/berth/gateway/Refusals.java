package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the statuses of refused calls, and reports each. */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    /** A caller can invent names without end, and each would be a metric. */
    private static final String OTHER = "other";

    private static final Set<String> KNOWN = Stream.of(
                    WorkflowServiceGrpc.getServiceDescriptor(), OperatorServiceGrpc.getServiceDescriptor())
            .flatMap(service -> service.getMethods().stream())
            .map(MethodDescriptor::getFullMethodName)
            .collect(Collectors.toUnmodifiableSet());

    private static final int LINES_PER_SECOND = 5;

    private record Logged(long second, int lines) {}

    private final GatewayListener listener;
    private final AtomicReference<Logged> logged = new AtomicReference<>(new Logged(0, 0));

    Refusals(GatewayListener listener) {
        this.listener = listener;
    }

    /** The status that the caller gets; {@code why} tells nothing that the caller does not know. */
    StatusRuntimeException refuse(String method, Refusal reason, String why) {
        String name = KNOWN.contains(method) || method.startsWith(GatewayMethods.SERVICE + "/") ? method : OTHER;
        Caller caller = Caller.KEY.get();
        if (mayLog()) {
            LOG.warn("refused {} of {}: {}", name, caller == null ? "an unknown caller" : caller, reason);
        }
        listener.refused(name, reason);
        return status(reason).withDescription(why).asRuntimeException();
    }

    /** For a worker whose user has a newer one. */
    StatusRuntimeException superseded(MethodDescriptor<?, ?> method) {
        return refuse(method.getFullMethodName(), Refusal.SUPERSEDED, "the user has a newer worker");
    }

    /** The first ones of each second: a hostile worker must not fill the disk. */
    private boolean mayLog() {
        long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        Logged now = logged.updateAndGet(
                last -> last.second == second ? new Logged(second, last.lines + 1) : new Logged(second, 1));
        return now.lines <= LINES_PER_SECOND;
    }

    private static Status status(Refusal reason) {
        return switch (reason) {
            case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
            case ENROLMENT -> Status.NOT_FOUND;
            case ARGUMENT -> Status.INVALID_ARGUMENT;
            case ASSIGNMENT, METHOD, NAMESPACE, QUEUE, TASK_TOKEN, USER, CLAIM, SUPERSEDED, STOPPED, STATE ->
                Status.PERMISSION_DENIED;
        };
    }
}
