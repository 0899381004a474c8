package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.BoundedMap;
import io.github.bucket4j.TimeMeter;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what exceeds the share of one caller: a request while it arrives, a call before its
 * request is read. Follows {@link CallerAuthentication}.
 */
final class QuantityLimits implements ServerInterceptor {
    private static final String TEMPORAL = WorkflowServiceGrpc.SERVICE_NAME + "/";

    private final GatewayConnections connections;
    private final Refusals refusals;
    /** By task; drops the least recently used. */
    private final Map<String, TaskQuota> quotas = new BoundedMap<>(GatewayLimits.TASKS);

    QuantityLimits(GatewayConnections connections, Refusals refusals) {
        this.connections = connections;
        this.refusals = refusals;
    }

    private synchronized TaskQuota quota(String taskId) {
        TaskQuota known = quotas.remove(taskId);
        TaskQuota quota = known == null ? new TaskQuota(TimeMeter.SYSTEM_NANOTIME) : known;
        quotas.put(taskId, quota);
        return quota;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        Share share = share(call);
        if (share == null || !share.begin()) {
            call.close(
                    refusals.refuse(method, Refusal.QUANTITY, "too many calls of this kind; try again later")
                            .getStatus(),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        }
        MeteredCall metered = new MeteredCall(call, share, longest(method), refusals);
        RequestSize.KEY.get().use(metered);
        return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onMessage(Q message) {
                if (!metered.isRefused()) {
                    super.onMessage(message);
                }
            }

            @Override
            public void onHalfClose() {
                if (!metered.isRefused()) {
                    share.requested();
                    super.onHalfClose();
                }
            }
        };
    }

    /** Null when the connection has gone. */
    private @Nullable Share share(ServerCall<?, ?> call) {
        CallKind kind = CallKind.of(call.getMethodDescriptor().getFullMethodName());
        Caller caller = Caller.KEY.get();
        if (caller != null) {
            return new TaskShare(quota(caller.task().taskId()), kind);
        }
        ConnectionGuard connection = connections.find(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        if (connection == null) {
            return null;
        }
        String taskId = connection.taskId();
        return taskId == null ? new EnrolmentShare(connection) : new TaskShare(quota(taskId), kind);
    }

    private static int longest(String method) {
        if (method.equals(GatewayMethods.ENROL.getFullMethodName())) {
            return GatewayLimits.ENROLMENT_BYTES;
        }
        return method.startsWith(TEMPORAL) ? GatewayLimits.TEMPORAL_MESSAGE_BYTES : GatewayLimits.OWN_MESSAGE_BYTES;
    }

    /** The part of a quota that one call takes. */
    private interface Share {
        boolean begin();

        boolean receive(long bytes);

        /** The request has arrived as a whole. */
        void requested();

        void end(long received);
    }

    private record TaskShare(TaskQuota quota, CallKind kind) implements Share {
        @Override
        public boolean begin() {
            return quota.begin(kind);
        }

        @Override
        public boolean receive(long bytes) {
            return quota.receive(bytes);
        }

        @Override
        public void requested() {}

        @Override
        public void end(long received) {
            quota.end(kind, received);
        }
    }

    private static final class EnrolmentShare implements Share {
        private final ConnectionGuard connection;
        private boolean isReceived;

        EnrolmentShare(ConnectionGuard connection) {
            this.connection = connection;
        }

        @Override
        public boolean begin() {
            return connection.beginEnrolment();
        }

        @Override
        public boolean receive(long bytes) {
            return true;
        }

        @Override
        public void requested() {
            isReceived = true;
            connection.answering();
        }

        @Override
        public void end(long received) {
            connection.endEnrolment(isReceived);
        }
    }

    private static final class MeteredCall implements RequestSize.Meter {
        private final ServerCall<?, ?> call;
        private final Share share;
        private final int longest;
        private final Refusals refusals;
        private final Context context = Context.current();
        private long received;
        private volatile boolean refused;

        MeteredCall(ServerCall<?, ?> call, Share share, int longest, Refusals refusals) {
            this.call = call;
            this.share = share;
            this.longest = longest;
            this.refusals = refusals;
        }

        boolean isRefused() {
            return refused;
        }

        @Override
        public void received(long bytes) {
            received += bytes;
            boolean admitted = share.receive(bytes);
            if (!refused && received > longest) {
                refuse(Refusal.ARGUMENT, "the message is too large");
            } else if (!refused && !admitted) {
                refuse(Refusal.QUANTITY, "too many bytes; try again later");
            }
        }

        private void refuse(Refusal reason, String why) {
            refused = true;
            String method = call.getMethodDescriptor().getFullMethodName();
            context.run(() -> call.close(refusals.refuse(method, reason, why).getStatus(), new Metadata()));
        }

        @Override
        public void ended() {
            share.end(received);
        }
    }
}
