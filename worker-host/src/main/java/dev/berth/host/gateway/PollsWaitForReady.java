package dev.berth.host.gateway;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.util.Objects;

/**
 * A poll waits until the gateway is connected. After polls that fail, Temporal's pollers pause, up
 * to a minute, also when the gateway is back.
 */
final class PollsWaitForReady implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        boolean isPoll = Objects.requireNonNull(method.getBareMethodName()).startsWith("Poll");
        return next.newCall(method, isPoll ? options.withWaitForReady() : options);
    }
}
