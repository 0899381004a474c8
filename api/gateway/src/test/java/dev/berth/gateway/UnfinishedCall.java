package dev.berth.gateway;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** A call that sends its request and never says that this was all. */
final class UnfinishedCall {
    private volatile @Nullable Status ended;

    private UnfinishedCall() {}

    static <Q, A> UnfinishedCall start(Channel channel, MethodDescriptor<Q, A> method, Q request) {
        UnfinishedCall unfinished = new UnfinishedCall();
        ClientCall<Q, A> call = channel.newCall(
                method.toBuilder().setType(MethodType.BIDI_STREAMING).build(), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        unfinished.ended = status;
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(request);
        return unfinished;
    }

    boolean isEnded() {
        return ended != null;
    }

    /** Null while it goes on. */
    Status.@Nullable Code code() {
        Status status = ended;
        return status == null ? null : status.getCode();
    }
}
