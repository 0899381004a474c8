package dev.berth.temporal.replay;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.temporal.api.workflowservice.v1.GetSystemInfoResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answers in place of a server what the SDK asks before a replay: which capabilities it has. None
 * is needed.
 */
final class OfflineWorkflowService implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new AnsweredCall<>(
                method.getFullMethodName()
                                .equals(WorkflowServiceGrpc.getGetSystemInfoMethod()
                                        .getFullMethodName())
                        ? GetSystemInfoResponse.getDefaultInstance()
                        : null);
    }

    private static final class AnsweredCall<Q, A> extends ClientCall<Q, A> {
        private final @Nullable Object answer;
        private @Nullable Listener<A> listener;

        AnsweredCall(@Nullable Object answer) {
            this.answer = answer;
        }

        @Override
        public void start(Listener<A> caller, Metadata headers) {
            listener = caller;
        }

        /** The request is complete. */
        @Override
        @SuppressWarnings("unchecked")
        public void halfClose() {
            Listener<A> caller = Objects.requireNonNull(listener);
            if (answer == null) {
                caller.onClose(Status.UNAVAILABLE, new Metadata());
            } else {
                caller.onHeaders(new Metadata());
                caller.onMessage((A) answer);
                caller.onClose(Status.OK, new Metadata());
            }
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendMessage(Q request) {}

        @Override
        public void cancel(@Nullable String why, @Nullable Throwable cause) {}
    }
}
