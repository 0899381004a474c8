package dev.berth.gateway;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Refuses every method that is not allowed, also those that Temporal gets in the future. */
final class RefusedMethods extends HandlerRegistry {
    private final Refusals refusals;

    RefusedMethods(Refusals refusals) {
        this.refusals = refusals;
    }

    @Override
    public ServerMethodDefinition<InputStream, InputStream> lookupMethod(String name, @Nullable String authority) {
        MethodDescriptor<InputStream, InputStream> unread = MethodDescriptor.<InputStream, InputStream>newBuilder()
                .setType(MethodType.UNKNOWN)
                .setFullMethodName(name)
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
        return ServerMethodDefinition.create(unread, (call, headers) -> {
            call.close(
                    refusals.refuse(name, Refusal.METHOD, "workers may not call this method")
                            .getStatus(),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        });
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<InputStream> {
        @Override
        public InputStream stream(InputStream value) {
            return value;
        }

        @Override
        public InputStream parse(InputStream stream) {
            return stream;
        }
    }
}
