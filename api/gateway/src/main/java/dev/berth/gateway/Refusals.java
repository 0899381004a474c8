package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import io.github.bucket4j.TimeMeter;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the statuses of refused calls, and reports each. */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    /** A caller can invent names without end, and each would be a metric. */
    private static final String OTHER = "other";

    private static final Set<String> KNOWN = Stream.concat(
                    Stream.of(WorkflowServiceGrpc.getServiceDescriptor(), OperatorServiceGrpc.getServiceDescriptor())
                            .flatMap(service -> service.getMethods().stream()),
                    GatewayMethods.all().stream())
            .map(MethodDescriptor::getFullMethodName)
            .collect(Collectors.toUnmodifiableSet());

    private final GatewayListener listener;
    private final RefusalLog log = new RefusalLog(TimeMeter.SYSTEM_NANOTIME);

    Refusals(GatewayListener listener) {
        this.listener = listener;
    }

    /** The status that the caller gets; {@code why} tells nothing that the caller does not know. */
    StatusRuntimeException refuse(String method, Refusal reason, String why) {
        String name = KNOWN.contains(method) ? method : OTHER;
        Caller caller = Caller.KEY.get();
        if (log.mayLog(caller == null ? "" : caller.task().taskId())) {
            LOG.warn("refused {} of {}: {}", name, caller == null ? "an unknown caller" : caller, reason);
        }
        listener.refused(name, reason);
        return status(reason).withDescription(why).asRuntimeException();
    }

    /** For a worker whose user has a newer one. */
    StatusRuntimeException superseded(MethodDescriptor<?, ?> method) {
        return refuse(method.getFullMethodName(), Refusal.SUPERSEDED, "the user has a newer worker");
    }

    private static Status status(Refusal reason) {
        return switch (reason) {
            case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
            case ENROLMENT -> Status.NOT_FOUND;
            case ARGUMENT -> Status.INVALID_ARGUMENT;
            case QUANTITY -> Status.RESOURCE_EXHAUSTED;
            case ASSIGNMENT, METHOD, NAMESPACE, QUEUE, TASK_TOKEN, USER, CLAIM, SUPERSEDED, STOPPED, STATE ->
                Status.PERMISSION_DENIED;
        };
    }
}
